// The line above the panes: the agent's address, options, import and export of recordings.

import type { ChatSession } from "@opstate/ag-ui";
import { useRef, useState } from "react";
import type { Connection } from "../conversation/open-conversation.ts";
import { HomeLink } from "@opstate/ui/react/home-link.tsx";
import { SiteNav } from "@opstate/ui/react/site-nav.tsx";
import { closeOnEscape } from "../close-on-escape.ts";
import { examples, parseUrl, TOUR } from "./address.ts";

interface HeaderProps {
  readonly connection: Connection;
  readonly session: ChatSession;
  readonly onConnect: (connection: Connection) => void;
  readonly onImport: (file: File) => void;
}

export function Header({ connection, session, onConnect, onImport }: HeaderProps) {
  const [url, setUrl] = useState(connection.url);
  const [threadId, setThreadId] = useState(connection.threadId ?? "");
  const [authorization, setAuthorization] = useState(connection.authorization);
  const [problem, setProblem] = useState(() => problemOf(connection.url));
  const [shown, setShown] = useState(connection);
  const file = useRef<HTMLInputElement>(null);
  if (shown !== connection) {
    setShown(connection);
    setUrl(connection.url);
    setThreadId(connection.threadId ?? "");
    setAuthorization(connection.authorization);
    setProblem(problemOf(connection.url));
  }

  function connect() {
    const parsed = parseUrl(url, location.origin);
    if ("problem" in parsed) return setProblem(parsed.problem);
    setProblem(undefined);
    return onConnect({ url: parsed.url, threadId: threadId.trim() || undefined, authorization: authorization.trim() });
  }

  return (
    <header className="header">
      <h1 className="brand">
        <HomeLink />
        <span className="crumb">Any AG-UI agent</span>
      </h1>
      <SiteNav here="Any agent" />
      <form
        id="address"
        className="address"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          connect();
        }}
      >
        <input
          className="field mono"
          aria-label="Address of the agent"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : "address-problem"}
          placeholder="http://localhost:8000/agent"
          spellCheck={false}
          autoComplete="off"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <button type="submit" className="button primary">
          Connect
        </button>
        {problem !== undefined && (
          <p id="address-problem" className="address-problem problem" role="alert">
            {problem}
          </p>
        )}
      </form>
      <Examples url={connection.url} onConnect={onConnect} />
      <div className="files">
        <details className="options" onKeyDown={closeOnEscape}>
          <summary className="button small">Options</summary>
          <div className="options-card">
            <label>
              Thread
              <input
                className="field"
                form="address"
                value={threadId}
                placeholder="A new one each time"
                spellCheck={false}
                onChange={(event) => setThreadId(event.target.value)}
              />
            </label>
            <label>
              Authorization header
              <input
                className="field"
                form="address"
                type="password"
                value={authorization}
                placeholder="Bearer …"
                autoComplete="off"
                onChange={(event) => setAuthorization(event.target.value)}
              />
            </label>
            <p>The header is kept in memory only. Press Connect to apply these options.</p>
            <Examples url={connection.url} onConnect={onConnect} />
          </div>
        </details>
        <button type="button" className="button small" onClick={() => file.current?.click()}>
          Import
        </button>
        <button type="button" className="button small" onClick={() => download(session)}>
          Export
        </button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="Recording to open"
          accept=".jsonl,application/jsonl"
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) onImport(chosen);
            // The same file can be chosen again.
            target.value = "";
          }}
        />
      </div>
    </header>
  );
}

/** The example agents: in the line if there is room, else among the options. */
function Examples({ url, onConnect }: { url: string; onConnect: (connection: Connection) => void }) {
  return (
    <nav className="examples" aria-label="Example agents">
      {examples(location.origin).map((example) => (
        <button
          key={example.url}
          type="button"
          className="button quiet small"
          title={example.says}
          aria-pressed={url === example.url}
          onClick={() => onConnect({ ...example, authorization: "" })}
        >
          {example.label}
        </button>
      ))}
    </nav>
  );
}

function problemOf(url: string): string | undefined {
  const parsed = url === TOUR ? { url } : parseUrl(url, location.origin);
  return "problem" in parsed ? parsed.problem : undefined;
}

function download(session: ChatSession) {
  const url = URL.createObjectURL(new Blob([session.exportRecording()], { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${session.threadId.slice(0, 40).replace(/[^\w.-]+/g, "-")}.jsonl`;
  link.click();
  URL.revokeObjectURL(url);
}
