// The sixth door, the same board in another agent, and the ways to everything else.

import type { Visit } from "@opstate/kanban-page/visit.ts";
import { REPOSITORY } from "@opstate/ui/site-links.ts";
import { Command } from "./command.tsx";

export function Doors({ visit }: { visit: Visit | undefined }) {
  const origin = location.origin;
  const thread = visit?.threadId ?? "demo";
  const token = visit?.tokens.agent ?? "demo-agent";
  const board = visit ? `?thread=${visit.threadId}` : "";
  return (
    <>
      <section className="door" aria-labelledby="door-title">
        <h2 id="door-title">Open it in another agent</h2>
        <p>
          The agent above is one of many. Let another one work on this board, and watch it. Its thread:{" "}
          <code>{thread}</code>.
        </p>
        <p>With any MCP client:</p>
        <Command
          label="Command for an MCP client"
          text={`claude mcp add --transport http opstate ${origin}/mcp \\\n  --header 'Authorization: Bearer ${token}'`}
        />
        <p>With any AG-UI client, which is answered by the demo's own agent:</p>
        <Command
          label="Command for an AG-UI client"
          text={`curl -N -X POST ${origin}/ag-ui/kanban \\
  -H 'content-type: application/json' \\
  -H 'authorization: Bearer ${token}' \\
  -d '{"threadId":"${thread}","runId":"run-'$(date +%s)'","tools":[],"context":[],
    "messages":[{"id":"m1","role":"user","content":"Add a card: Sent over AG-UI"}]}'`}
        />
        <p className="hosts">
          As programs of twenty lines: <a href={`${REPOSITORY}/tree/main/examples`}>starters for each framework</a>
        </p>
      </section>
      <section className="door" aria-labelledby="terminal-title">
        <h2 id="terminal-title">Or change the shared board from a terminal</h2>
        <Command
          label="Command"
          text={`curl -X POST ${origin}/threads/demo/operations \\
  -H 'content-type: application/json' \\
  -H 'authorization: Bearer demo-webhook' \\
  -d '{"type":"addCard","columnId":"backlog","title":"Sent by a webhook","priority":1}'`}
        />
      </section>
      <section className="door" aria-labelledby="ways-title">
        <h2 id="ways-title">All demos</h2>
        <ul className="ways">
          <Way href={`./react/${board}`} title="Your board, in React" text="The whole page, with the log beside it." />
          <Way href={`./svelte/${board}`} title="Your board, in Svelte" text="The same page from the other binding." />
          <Way href="./react/" title="The shared board" text="Everyone who opens this demo sees it." />
          <Way href="./both/" title="Side by side" text="React and Svelte on one board." />
          <Way href="./debate/" title="Debate" text="Two agents argue, and you decide after each round." />
          <Way href={`${REPOSITORY}/tree/main/docs`} title="Docs" text="Guides whose examples run as tests." />
          <Way href={REPOSITORY} title="Repository" text="All of this, the demo too." />
          <Way href="./agent/" title="Any AG-UI agent" text="Its chat, state and raw events, back to any of them." />
        </ul>
      </section>
    </>
  );
}

const Way = ({ href, title, text }: { href: string; title: string; text: string }) => (
  <li>
    <a className="way" href={href}>
      <b>{title}</b>
      <span>{text}</span>
    </a>
  </li>
);
