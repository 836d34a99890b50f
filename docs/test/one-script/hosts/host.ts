// A host that plays a script: a real server, the host's own client of it, and a scripted model.

import type { RemoteThread } from "@opstate/client/remote";
import type { Actor, Thread } from "@opstate/core";
import type { ServerOptions } from "@opstate/server";
import { connect as connectTo, headersOf } from "../../../../packages/agent/test/support/server.ts";
import { board } from "../board.ts";
import type { Script } from "../script.ts";

export interface Place {
  readonly url: string;
  readonly threadId: string;
  /** The actor that the agent is. */
  readonly agent: Actor;
  /** The thread where it is decided, for hosts that live there. */
  readonly thread: Thread<typeof board>;
}

export interface Host {
  readonly name: string;
  /** The host puts questions to a person; else calls that need approval wait on a page. */
  readonly asks: boolean;
  /** Knows a call again under another id by what its operation says (`once`). */
  readonly hasKeys: boolean;
  /** Its words name what a call created. Default true. */
  readonly namesCreated?: false;
  /** The agents that the server itself runs for this host. */
  readonly agents?: (script: Script, agent: Actor) => NonNullable<ServerOptions["agents"]>;
  /** Plays the script to its end. */
  play(script: Script, place: Place): Promise<void>;
}

/** The thread over HTTP, as a process of the agent has it. */
export function connect(place: Place): Promise<RemoteThread<typeof board>> {
  return connectTo(board, { ...place, headers: agentHeaders(place) });
}

/** The credentials of the agent. */
export function agentHeaders({ agent: { kind, id } }: Place) {
  return headersOf(`${kind} ${id} read,write`);
}
