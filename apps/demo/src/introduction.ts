// The terminal's text after the start.

import { relative } from "node:path";
import { AGENT_TOKEN, type ChosenModel, DEMO_THREAD, WEBHOOK_TOKEN } from "@opstate/kanban-server";

export function introduction(url: string, { name, offline }: ChosenModel, data: string): string {
  return `
opstate demos: state that people and agents change at the same time.

  Open   ${url}
  Model  ${offline ? "offline (rules, no network). For a language model: OPSTATE_MODEL=openai:gpt-4.1-mini, anthropic:... or ollama:..." : name}
  Data   ${shortPath(data)}

  ${url}/react/    a board that you and an agent edit
  ${url}/svelte/   the same board, made with Svelte
  ${url}/both/     both, side by side
  ${url}/debate/   agents that argue, and you decide
  ${url}/agent/    any AG-UI agent: chat, state, events, replay

Try in the board's chat:
  move T-42 to In Progress
  remove T-15 and move T-15 to Done
  undo that
  build a board for launching a website

Add a card from another terminal, and watch the page:
  curl -X POST ${url}/threads/${DEMO_THREAD}/operations -H 'content-type: application/json' -H 'authorization: Bearer ${WEBHOOK_TOKEN}' \\
    -d '{"type":"addCard","columnId":"backlog","title":"Sent by a webhook","priority":1}'

Let an MCP client work on the same board, as the thread "${DEMO_THREAD}":
  claude mcp add --transport http opstate ${url}/mcp --header 'Authorization: Bearer ${AGENT_TOKEN}'

Ctrl-C stops it.
`;
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
}
