// The page: the connection to an agent, and the conversation. A new connection starts a new
// conversation.

import type { ChatSession } from "@opstate/ag-ui";
import { useState } from "react";
import { readLocation, toSearch } from "./address/address.ts";
import { Header } from "./address/header.tsx";
import { ConversationView } from "./conversation/conversation-view.tsx";
import { type Connection, openConversation, openRecording } from "./conversation/open-conversation.ts";

interface Open {
  readonly connection: Connection;
  readonly session: ChatSession;
  /** Counts conversations. Each has its own view. */
  readonly count: number;
}

export function App() {
  const [open, setOpen] = useState(() => start({ ...readLocation(location), authorization: "" }, 0));
  const [notice, setNotice] = useState<string>();

  function connect(connection: Connection) {
    open.session.abort();
    history.replaceState(null, "", toSearch(connection));
    setNotice(undefined);
    setOpen(start(connection, open.count + 1));
  }

  async function importRecording(file: File) {
    try {
      const session = openRecording(await file.text(), open.connection);
      open.session.abort();
      setOpen({ ...open, session, count: open.count + 1 });
      setNotice(undefined);
    } catch (error) {
      setNotice(`${file.name} was not opened. ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const { connection, session } = open;
  return (
    <div
      className="shell"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file) void importRecording(file);
      }}
    >
      <Header
        connection={connection}
        session={session}
        onConnect={connect}
        onImport={(file) => void importRecording(file)}
      />
      {notice !== undefined && (
        <p className="notice" role="alert">
          {notice}
          <button type="button" className="button small" onClick={() => setNotice(undefined)}>
            Close
          </button>
        </p>
      )}
      <ConversationView key={open.count} session={session} url={connection.url} />
    </div>
  );
}

function start(connection: Connection, count: number): Open {
  return { connection, session: openConversation(connection), count };
}
