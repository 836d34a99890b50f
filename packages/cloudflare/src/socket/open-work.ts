// What goes on in an object beside its sockets, and must not be cut by a rest: requests, streams of
// other kinds, and runs of agents.

import type { ServedAgent } from "@opstate/server";

export class OpenWork {
  #count = 0;

  get isNone(): boolean {
    return this.#count === 0;
  }

  begin(): () => void {
    let isOpen = true;
    this.#count += 1;
    return () => {
      if (isOpen) this.#count -= 1;
      isOpen = false;
    };
  }

  /** The same answer. Its body is open work until it has ended or its reader has left. */
  streamed(answer: Response): Response {
    if (answer.body === null) return answer;
    const end = this.begin();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // Either side may break: the other one gets to know it.
    answer.body.pipeTo(writable).then(end, end);
    return new Response(readable, answer);
  }

  /** The same agents. Their runs are open work, those that go on without a reader too. */
  counted(agents: Readonly<Record<string, ServedAgent>>): Readonly<Record<string, ServedAgent>> {
    return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, this.#countedAgent(agent)]));
  }

  #countedAgent(agent: ServedAgent): ServedAgent {
    const begin = () => this.begin();
    return {
      ...agent,
      async *run(given) {
        const end = begin();
        try {
          yield* agent.run(given);
        } finally {
          end();
        }
      },
    };
  }
}
