import { CopilotChat, useDefaultRenderTool, useInterrupt } from "@copilotkit/react-core/v2";
import { conversation } from "./board-context.ts";

export function Chat() {
  useDefaultRenderTool({
    render: ({ name, parameters, status, result }) => (
      <p role="note" aria-label={name}>
        {JSON.stringify(parameters)} {status} {result}
      </p>
    ),
  });
  // A proposal of the run comes as an interrupt. The answer is that of the thread's responseSchema.
  useInterrupt({
    agentId: "planner",
    render: ({ interrupts, resolve, cancel }) => (
      <ul aria-label="Questions">
        {interrupts.map(({ id, message }) => (
          <li key={id}>
            {message} <button onClick={() => void resolve({ approved: true }, id)}>Yes</button>
            <button onClick={() => void resolve({ approved: false, reason: "Keep it" }, id)}>No</button>
            <button onClick={() => void cancel(id)}>Cancel</button>
          </li>
        ))}
      </ul>
    ),
  });
  return <CopilotChat agentId="planner" threadId={conversation} />;
}
