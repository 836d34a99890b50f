// One message of the conversation. An agent's content is always shown as text, never as markup.

import type { ChatMessage } from "@opstate/ag-ui";
import { memo, type ReactNode } from "react";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { textOf } from "./text-of.ts";
import { ToolCall } from "./tool-call.tsx";

/** An event keeps unchanged messages identical, so only the growing message renders again. */
export const Message = memo(function Message({ message }: { message: ChatMessage }) {
  switch (message.role) {
    case "user":
      return (
        <p className="message" data-role="user">
          <span className="spoken">You: </span>
          {textOf(message.content)}
        </p>
      );
    case "assistant":
      return (
        <>
          {message.content !== undefined && message.content !== "" && (
            <p className="message" data-role="assistant" data-status={message.status}>
              <span className="spoken">Agent: </span>
              {message.content}
              {message.status === "incomplete" && <Broken />}
            </p>
          )}
          {message.toolCalls?.map((call) => (
            <ToolCall key={call.id} call={call} />
          ))}
        </>
      );
    case "tool":
      // The call itself shows its result.
      return null;
    case "reasoning":
      return (
        <Aside kind="reasoning" title="Reasoning" open={message.status === "streaming"}>
          <p className="aside-text">{message.content}</p>
        </Aside>
      );
    case "activity":
      return (
        <Aside kind="activity" title={`Activity: ${message.activityType}`} open>
          <JsonBlock value={message.content} label={`Content of the activity ${message.activityType}`} />
        </Aside>
      );
    case "developer":
    case "system":
      return (
        <Aside
          kind="instruction"
          title={message.role === "system" ? "System message" : "Developer message"}
          open={false}
        >
          <p className="aside-text">{message.content}</p>
        </Aside>
      );
  }
});

interface AsideProps {
  readonly kind: string;
  readonly title: string;
  readonly open: boolean;
  readonly children: ReactNode;
}

function Aside({ kind, title, open, children }: AsideProps) {
  return (
    <details className="aside" data-kind={kind} open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

const Broken = () => <span className="broken"> (cut off)</span>;
