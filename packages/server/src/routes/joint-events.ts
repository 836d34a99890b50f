// The events of many threads on one connection: a stream, whose threads may change while it is
// open, or an answer that is a list.
//
// Invariant: the body names the threads, so it is read before any right is checked. Then the rights
// are checked for each thread.

import { isObject } from "@opstate/core/json";
import type { Context } from "hono";
import type { Access } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { CollectedAnswer } from "../joint/collected-answer.ts";
import type { ThreadPosition } from "../joint/followed-thread.ts";
import { checkThreadCount, FollowedThreads, type FollowedThreadsOptions } from "../joint/followed-threads.ts";
import { helloFrame, streamProblemFrame } from "../joint/joint-frames.ts";
import { streamReader } from "../threads/stream-reader.ts";
import { type App, type Environment, lastingAccess, type Services, streamTarget } from "./environment.ts";
import { toProblem } from "./problem-of-error.ts";
import { checkMembers, isVersion, readObject } from "./read-request.ts";
import { streamOrAnswer } from "./stream-elsewhere.ts";

/** Enough for as many threads as one reader may follow, with the longest ids. */
const BODY_LIMITS = { bytes: 768 * 1024, depth: 8 };

/** Seconds. Proxies commonly end a request that takes longer than 30. */
const WAIT_LIMIT = 25;

const SHAPE =
  '{ "<thread id>": { "after"?: <a version>, "incarnation"?: <a text>, "readOnly"?: <whether you know it to be so> } }';

type Positions = ReadonlyMap<string, ThreadPosition>;

export function jointEventRoutes(app: App, services: Services): void {
  const { joint, otherNodes, rechecks, draining } = services;

  app.post("/events", async (context) => {
    const body = await readObject(context.req.raw, BODY_LIMITS);
    checkMembers(body, ["threads", "wait"]);
    const follow = readPositions(body["threads"], "threads");
    checkThreadCount(follow.size);
    const wait = readWait(body["wait"]);
    if (draining.aborted) throw new Problem("closing", "The server is closing.");
    return wait === undefined ? openStream(context, follow, services) : answer(context, follow, wait, services);
  });

  app.post("/events/:stream", async (context) => {
    const { access, since } = context.var;
    const name = context.req.param("stream");
    // One that is unknown is refused before the body is read, unless another server may have it.
    if (otherNodes === undefined) joint.get(name, access.actor);
    const body = await readObject(context.req.raw, BODY_LIMITS);
    checkMembers(body, ["follow", "unfollow"]);
    const stream = await streamOrAnswer(context, name, body, services);
    if (stream instanceof Response) return stream;
    const follow = readPositions(body["follow"] ?? {}, "follow");
    const unfollow = readIds(body["unfollow"] ?? []);
    stream.followed.change({ follow, unfollow }, access);
    // The rights of this request may be those from before.
    if (since !== rechecks.revision) stream.followed.ask();
    stream.answer();
    return context.body(null, 204);
  });
}

function openStream(context: Context<Environment>, follow: Positions, services: Services): Response {
  const { streams, joint } = services;
  const { access } = context.var;
  const stream = streams.openLasting(streamTarget(context), {
    onClose() {
      joint.remove(opened);
      opened.followed.close();
    },
    onHeartbeat: () => opened.onHeartbeat(),
  });
  const followed = new FollowedThreads({
    ...sharedOptions(context, access, services),
    reader: streamReader(stream, ({ withoutId }) => withoutId),
    onRefused: (problem) => stream.endWith(streamProblemFrame(problem).bytes),
  });
  const opened = joint.add(followed);
  stream.send(helloFrame(access.actor, opened).bytes);
  followed.change({ follow }, access);
  return stream.response;
}

async function answer(
  context: Context<Environment>,
  follow: Positions,
  wait: number,
  services: Services,
): Promise<Response> {
  const { draining } = services;
  const { access } = context.var;
  const { signal } = context.req.raw;
  const collected = new CollectedAnswer();
  const followed = new FollowedThreads({
    ...sharedOptions(context, access, services),
    reader: collected,
    onCaughtUp: () => (wait === 0 || followed.hasNewRights ? collected.finish() : collected.caughtUp()),
    onRefused(problem) {
      collected.send(streamProblemFrame(problem));
      collected.finish();
    },
  });
  const finish = () => collected.finish();
  const timer = wait === 0 ? undefined : setTimeout(finish, wait * 1_000);
  signal.addEventListener("abort", finish);
  draining.addEventListener("abort", finish);
  collected.send(helloFrame(access.actor));
  followed.change({ follow }, access);
  if (wait === 0 && followed.isCaughtUp) finish();
  const json = await collected.json();
  clearTimeout(timer);
  signal.removeEventListener("abort", finish);
  draining.removeEventListener("abort", finish);
  followed.close();
  return context.body(json, 200, { "content-type": "application/json", "cache-control": "no-store" });
}

function sharedOptions(
  context: Context<Environment>,
  { actor }: Access,
  { threads, rechecks, onError }: Services,
): Omit<FollowedThreadsOptions, "reader" | "onRefused" | "onCaughtUp"> {
  const { identify } = context.var;
  const lasting = lastingAccess(context);
  return { actor, threads, rechecks, lasting, identify, onError, toProblem: (error) => toProblem(error, onError) };
}

/** Ids are checked when their threads begin: one that is wrong is a problem of its own thread. */
function readPositions(value: unknown, name: string): Positions {
  if (!isObject(value)) throw new Problem("invalid_body", `\`${name}\` must be ${SHAPE}.`);
  return new Map(Object.entries(value).map(([threadId, position]) => [threadId, readPosition(position, threadId)]));
}

function readPosition(position: unknown, threadId: string): ThreadPosition {
  const of = `The position of thread "${threadId.slice(0, 200)}"`;
  if (!isObject(position)) throw new Problem("invalid_body", `${of} must be an object. The shape is ${SHAPE}.`);
  const { after, incarnation, readOnly, ...others } = position;
  if (after !== undefined && !isVersion(after))
    throw new Problem("invalid_body", `${of}: \`after\` must be a whole number from 0 on.`);
  if (incarnation !== undefined && typeof incarnation !== "string")
    throw new Problem("invalid_body", `${of}: \`incarnation\` must be a text, as the thread's \`welcome\` has it.`);
  if (readOnly !== undefined && typeof readOnly !== "boolean")
    throw new Problem(
      "invalid_body",
      `${of}: \`readOnly\` must be true or false, as the thread's \`welcome\` or \`rights\` has it.`,
    );
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Problem("invalid_body", `${of} has an unknown member "${unknown.slice(0, 60)}". The shape is ${SHAPE}.`);
  return { after, incarnation, readOnly };
}

function readIds(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((id) => typeof id === "string")) return value;
  throw new Problem("invalid_body", "`unfollow` must be a list of thread ids.");
}

function readWait(wait: unknown): number | undefined {
  if (wait === undefined || (typeof wait === "number" && wait >= 0 && wait <= WAIT_LIMIT)) return wait;
  throw new Problem("invalid_body", `\`wait\` must be a number of seconds from 0 to ${WAIT_LIMIT}.`);
}
