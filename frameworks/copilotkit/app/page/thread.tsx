// The thread itself, beside CopilotKit: it is live with and without a run, and shows what the agent
// is about to do.

import { useAgent } from "@copilotkit/react-core/v2";
import { httpAgent } from "@opstate/ag-ui";
import { followRun } from "@opstate/client/intents";
import { useIntents } from "@opstate/react";
import { useEffect } from "react";
import { Board, boardId, headers } from "./board-context.ts";

const { runs } = httpAgent({ url: "/opstate/ag-ui/planner", headers });

export function Thread() {
  const thread = Board.useThread();
  const { view } = useIntents(thread);
  const { status } = Board.useSync();
  const { proposals } = Board.useProposals();
  const { agent } = useAgent({ agentId: "planner" });
  useEffect(() => {
    const left = new AbortController();
    const { unsubscribe } = agent.subscribe({
      onRunStartedEvent({ event: { runId }, input }) {
        // A page that connects hears of runs again that others requested, or that are over.
        if (runs === undefined || runId !== input.runId) return;
        void followRun(thread, runs.read({ threadId: boardId, runId }, { signal: left.signal })).catch(() => {});
      },
    });
    return () => {
      unsubscribe();
      left.abort();
    };
  }, [agent, thread]);
  return (
    <section aria-label="Thread">
      <h2>{view.title}</h2>
      <ul aria-label="Cards of the thread">
        {view.cards.map((card) => (
          <li key={card.cardId}>{card.title}</li>
        ))}
      </ul>
      <ul aria-label="Proposals">
        {proposals.map(({ id, sentence }) => (
          <li key={id}>{sentence}</li>
        ))}
      </ul>
      <p role="status">{status === "online" ? "Live" : status}</p>
    </section>
  );
}
