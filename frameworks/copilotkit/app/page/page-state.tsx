// CopilotKit's copy of the state: what the agent's events say, and what the page sets.

import { useAgent } from "@copilotkit/react-core/v2";
import type { StateOf } from "@opstate/core";
import { useEffect, useState } from "react";
import type { board } from "../board.ts";

export function PageState() {
  const { agent } = useAgent({ agentId: "planner" });
  const state = agent.state as Partial<StateOf<typeof board>>;
  const verdicts = useVerdicts();
  const status = useStatus();
  const [title, setTitle] = useState("");
  const add = () => agent.setState({ ...state, cards: [...(state.cards ?? []), { cardId: `T-${title}`, title }] });
  return (
    <section aria-label="Page">
      <h1>{state.title ?? "No title"}</h1>
      <ul aria-label="Cards of the page">
        {state.cards?.map((card) => (
          <li key={card.cardId}>{card.title}</li>
        ))}
      </ul>
      <p>{state.isAgreed === true ? "Agreed" : "Not agreed"}</p>
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <button onClick={() => agent.setState({ ...state, title })}>Set title</button>
      <button onClick={() => agent.setState({ title })}>Set nothing but the title</button>
      <button onClick={add}>Set a card</button>
      <button onClick={() => agent.setState({ ...state, isAgreed: true })}>Set agreed</button>
      <ul aria-label="Verdicts">
        {verdicts.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p role="status">{status}</p>
    </section>
  );
}

interface Verdict {
  readonly id: string;
  readonly text: string;
}

/** What became of what the page set, in the events of the next run. */
function useVerdicts(): readonly Verdict[] {
  const { agent } = useAgent({ agentId: "planner" });
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      onCustomEvent({ event: { name, value } }) {
        const text = textOf(name, value);
        if (text !== undefined) setVerdicts((all) => [...all, { id: crypto.randomUUID(), text }]);
      },
    });
    return unsubscribe;
  }, [agent]);
  return verdicts;
}

interface EventValue {
  readonly accepted?: boolean;
  readonly type?: string;
  readonly rejection?: { readonly message: string };
  readonly code?: string;
  readonly message?: string;
}

function textOf(event: string, value: EventValue): string | undefined {
  if (event === "opstate.warning") return `${value.code}: ${value.message}`;
  if (event !== "opstate.verdict") return undefined;
  return value.accepted ? `written: ${value.type}` : value.rejection?.message;
}

/** "Ready" when the conversation so far is there, and nothing runs. */
function useStatus(): string {
  const { agent, isReady } = useAgent({ agentId: "planner" });
  const [connected, setConnected] = useState<typeof agent>();
  useEffect(() => agent.subscribe({ onRunFinalized: () => setConnected(agent) }).unsubscribe, [agent]);
  if (!isReady || connected !== agent) return agent.messages.length > 0 ? "Rejoined" : "Connecting";
  return agent.isRunning ? "Running" : "Ready";
}
