import { CopilotKit, CopilotKitProvider } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Board, boardId, client, headers } from "./board-context.ts";
import { Chat } from "./chat.tsx";
import { PageState } from "./page-state.tsx";
import { Thread } from "./thread.tsx";

/** CopilotKit has two: that of its version 2, and the older one around it. */
function Provider({ children }: { readonly children: ReactNode }) {
  const given = { runtimeUrl: "/copilotkit", headers, children };
  const isOlder = location.pathname === "/older";
  return isOlder ? <CopilotKit {...given} agent="planner" /> : <CopilotKitProvider {...given} agentId="planner" />;
}

createRoot(document.getElementById("root")!).render(
  <Board.Provider client={client} threadId={boardId}>
    <Provider>
      <PageState />
      <Thread />
      <Chat />
    </Provider>
  </Board.Provider>,
);
