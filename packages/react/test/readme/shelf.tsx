import { createClient } from "./server.ts";
import { Shelf } from "../support/shelf-context.ts";
import { shelf } from "../support/shelf.ts";

const client = createClient({ url: "" });

export function Page({ threadId }: { threadId: string }) {
  return (
    <Shelf.Provider client={client} threadId={threadId}>
      <Title />
      <Log />
    </Shelf.Provider>
  );
}

function Title() {
  const title = Shelf.useAgentState((state) => state.title);
  const dispatch = Shelf.useDispatch();
  const { status, pending } = Shelf.useSync();
  const { canUndo, undo, redo } = Shelf.useUndo();
  return (
    <header>
      <input
        aria-label="Title"
        value={title}
        onChange={(event) => void dispatch(shelf.op.rename({ title: event.target.value }))}
      />
      <button disabled={!canUndo} onClick={() => void undo()}>
        Undo
      </button>
      <button onClick={() => void redo()}>Redo</button>
      <p>{status === "online" ? "Live" : `${pending.length} edits wait`}</p>
    </header>
  );
}

function Log() {
  const { entries, hasOlder, older } = Shelf.useHistory();
  const { proposals, approve } = Shelf.useProposals();
  return (
    <>
      {proposals.map((proposal) => (
        <button key={proposal.version} onClick={() => void approve(proposal)}>
          Let {proposal.actor.id} do it: {proposal.sentence}
        </button>
      ))}
      <ol>
        {entries.map(
          (entry) => entry.kind === "commit" && <li key={entry.commit.version}>{entry.commit.operation.type}</li>,
        )}
      </ol>
      {hasOlder && <button onClick={() => void older()}>Older</button>}
    </>
  );
}
