// A stream of many threads is at the server that its reader is connected to. What is posted about
// it may come to another one of the same log.

import type { Context } from "hono";
import { type JointStream, JointStreams } from "../joint/joint-streams.ts";
import type { Environment, Services } from "./environment.ts";
import { passedOf } from "./passed-of.ts";

/**
 * The stream when it is here, or the answer of the server that has it. Throws a Problem when the
 * actor has no such stream anywhere.
 */
export async function streamOrAnswer(
  context: Context<Environment>,
  name: string,
  body: object,
  { joint, otherNodes }: Pick<Services, "joint" | "otherNodes">,
): Promise<JointStream | Response> {
  const { actor } = context.var.access;
  const here = joint.find(name, actor);
  const node = JointStreams.nodeOf(name);
  if (here !== undefined || node === undefined || context.env.passedOn) return here ?? joint.get(name, actor);
  const answer = await otherNodes?.of(node, { ...passedOf(context), body: () => JSON.stringify(body) });
  return answer ?? joint.get(name, actor);
}
