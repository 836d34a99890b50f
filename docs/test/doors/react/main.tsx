// A page whose thread is a prop, with a Suspense boundary above its provider, as a router's
// `loading` is. Nothing has a key.

import { createClient } from "@opstate/client";
import { Component, type ReactNode, StrictMode, Suspense, useState } from "react";
import { createRoot } from "react-dom/client";
import { Tally } from "./tally-context.ts";

const query = new URLSearchParams(location.search);
const authorization = query.get("user") ?? "ada";
const client = createClient({ url: query.get("api") ?? "", headers: () => ({ authorization }) });

function Page() {
  const [threadId, setThreadId] = useState(query.get("thread") ?? "a");
  return (
    <>
      {["a", "b"].map((id) => (
        <button key={id} onClick={() => setThreadId(id)}>
          {`Open ${id}`}
        </button>
      ))}
      <Boundary>
        <Suspense fallback={<p>Opening</p>}>
          <Thread threadId={threadId} />
        </Suspense>
      </Boundary>
    </>
  );
}

function Thread({ threadId }: { threadId: string }) {
  return (
    <Tally.Provider client={client} threadId={threadId}>
      <Count threadId={threadId} />
    </Tally.Provider>
  );
}

function Count({ threadId }: { threadId: string }) {
  const count = Tally.useSuspenseAgentState((state) => state.count);
  const dispatch = Tally.useDispatch();
  const refused = Tally.useCan({ type: "add", by: 1 });
  const { status, pending } = Tally.useSync();
  const { entries } = Tally.useHistory();
  const { undo, canUndo } = Tally.useUndo();
  return (
    <>
      <output>{`${threadId}: ${count}, ${status}, ${pending.length} wait, ${entries.length} in the log`}</output>
      <button disabled={refused !== undefined} onClick={() => void dispatch({ type: "add", by: 1 })}>
        Add
      </button>
      <p>{refused?.message}</p>
      <button disabled={!canUndo} onClick={() => void undo()}>
        Undo
      </button>
    </>
  );
}

class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <>
        <p role="alert">{error.message}</p>
        <button onClick={() => this.setState({ error: undefined })}>Look again</button>
      </>
    );
  }
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
