// The Worker under test: the definitions of the contracts and of the conformance suite, and objects
// that a test can end, as the platform ends them.

import type { Right } from "@opstate/server";
import { tally } from "../../../client/test/tally.ts";
import { conformanceList } from "../../../conformance/src/definition.ts";
import { conformanceIdentity } from "../../../conformance/src/identities.ts";
import { counter } from "../../../core/src/testing/shared/contract-counter.ts";
import { createEdge, type EdgeBindings, type ObjectState } from "../../src/index.ts";

/** Of this process, so of all objects in it. */
let isIndexDown = false;
let objectsMade = 0;
let optionsMade = 0;
const forbidden = new Set<string>();

/** Credentials of the form "kind id right,right expiry", or those of the conformance suite. */
const edge = createEdge<EdgeBindings>(() => ({
  ...counted(),
  definitions: [counter, conformanceList, tally],
  origins: ["https://pages.example"],
  authorize(request) {
    const credentials = request.headers.get("authorization");
    const known = conformanceIdentity(credentials);
    if (known) return { actor: known.actor, allows: (_, right) => known.rights.includes(right) };
    const [kind, id, rights = "", expiry = ""] = (credentials ?? "").split(" ");
    if (!kind || !id) return null;
    return {
      actor: { kind, id },
      ...(expiry !== "" && { expiresAt: new Date(Number(expiry)) }),
      allows: (threadId, right: Right) => rights.split(",").includes(right) && !forbidden.has(threadId),
    };
  },
}));

function counted(): object {
  optionsMade += 1;
  return {};
}

interface Abortable extends ObjectState {
  abort(reason: string): void;
}

function ended(Base: typeof edge.Threads): typeof edge.Threads {
  return class extends Base {
    readonly #state: Abortable;
    readonly #number = ++objectsMade;

    constructor(state: ObjectState, env: EdgeBindings) {
      super(state, env);
      // The platform's has more than an edge needs.
      this.#state = state as Abortable;
    }

    override async fetch(request: Request): Promise<Response> {
      if (new URL(request.url).pathname === "/$end") this.#state.abort("The test ends this object.");
      if (new URL(request.url).pathname === "/$number") return Response.json(this.#number);
      if (new URL(request.url).pathname === "/$alarm") {
        await this.alarm?.();
        return new Response(null, { status: 204 });
      }
      if (new URL(request.url).pathname === "/$listing" && isIndexDown) return new Response(null, { status: 500 });
      return super.fetch(request);
    }
  };
}

export const OPSTATE_THREADS = ended(edge.Threads);
export const OPSTATE_READERS = ended(edge.Readers);
export const OPSTATE_INDEX = ended(edge.Index);

export default {
  async fetch(request: Request, env: EdgeBindings): Promise<Response> {
    const [, call, kind, name = ""] = new URL(request.url).pathname.split("/");
    if (call === "$index") {
      isIndexDown = kind === "down";
      return new Response(null, { status: 204 });
    }
    if (call === "$options") return Response.json(optionsMade);
    if (call === "$forbid") forbidden.add(kind ?? "");
    if (call === "$allow") forbidden.delete(kind ?? "");
    if (call === "$forbid" || call === "$allow") return new Response(null, { status: 204 });
    if (call !== "$end" && call !== "$alarm" && call !== "$number") return edge.fetch(request, env);
    const namespace = env[kind as keyof EdgeBindings];
    const stub = namespace.get(namespace.idFromName(name));
    if (call === "$number") return stub.fetch(new Request(`https://object/${call}`));
    // The call that ends an object rejects.
    await stub.fetch(new Request(`https://object/${call}`)).catch(() => undefined);
    return new Response(null, { status: 204 });
  },
};
