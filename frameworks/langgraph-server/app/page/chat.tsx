import { type Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import type { ApprovalAnswer, ApprovalRequest } from "@opstate/langgraph";
import { useEffect, useState } from "react";
import { Board } from "./board-context.ts";

// LangGraph's id of the conversation. A reload of this tab goes on with it.
const CONVERSATION = "conversation";

export function Chat() {
  const [threadId, setThreadId] = useState(() => sessionStorage.getItem(CONVERSATION));
  const { messages, interrupts, isLoading, submit, error } = useStream<
    { messages: Message[] },
    { InterruptType: ApprovalRequest }
  >({
    apiUrl: new URL("/langgraph", location.href).href,
    assistantId: "board",
    threadId,
    onThreadId(id) {
      sessionStorage.setItem(CONVERSATION, id);
      setThreadId(id);
    },
    reconnectOnMount: true,
  });
  const [text, setText] = useState("");

  const answer = (id: string, what: ApprovalAnswer) => void submit(undefined, { command: { resume: { [id]: what } } });

  // A person decided on a proposal of this run, on this page or another: the run goes on.
  const { version } = Board.useSync();
  const { proposals, loading } = Board.useProposals();
  const isDecided = ({ basedOn, proposal }: ApprovalRequest) =>
    !loading && version > basedOn && !proposals.some(({ id }) => id === proposal);
  const goesOn = !isLoading && interrupts.some(({ value }) => value && isDecided(value));
  useEffect(() => {
    if (goesOn) void submit(null);
  }, [goesOn, submit]);

  return (
    <aside>
      <ul aria-label="Messages">
        {messages.map(({ id, type, content }) => (
          <li key={id} data-type={type} style={{ whiteSpace: "pre-wrap" }}>
            {typeof content === "string" ? content : JSON.stringify(content)}
          </li>
        ))}
      </ul>
      <ul aria-label="Questions">
        {interrupts.map(
          ({ id = "", value }) =>
            value && (
              <li key={id}>
                May the agent {value.operation.type}?{" "}
                <button onClick={() => answer(id, { type: "accept" })}>Yes</button>
                <button onClick={() => answer(id, { type: "decline", message: "Keep it" })}>No</button>
              </li>
            ),
        )}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit({ messages: [{ type: "human", content: text }] });
          setText("");
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={isLoading}>Send</button>
      </form>
      {error !== undefined && <p role="alert">{String(error)}</p>}
    </aside>
  );
}
