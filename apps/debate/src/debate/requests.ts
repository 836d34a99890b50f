// What a client sends: the start of a debate, and the answer between two rounds.

import { z } from "zod";
import { MAX_TOPIC_LENGTH, MAX_REMARK_LENGTH, MAX_ROUNDS, DEFAULT_ROUNDS } from "./limits.ts";

const ROUNDS_RULE = `must be a whole number from 1 to ${MAX_ROUNDS}`;
const DebateId = z.string("must be a text").regex(/^[A-Za-z0-9_-]{8,64}$/, "must be 8 to 64 letters, digits, - or _");

export const StartRequest = z.strictObject({
  topic: z
    .string({ error: ({ input }) => (input === undefined ? "is missing: say what to debate" : "must be a text") })
    .trim()
    .min(1, "must not be empty: say what to debate")
    .max(MAX_TOPIC_LENGTH, `must have at most ${MAX_TOPIC_LENGTH} characters`),
  maxRounds: z.int(ROUNDS_RULE).min(1, ROUNDS_RULE).max(MAX_ROUNDS, ROUNDS_RULE).default(DEFAULT_ROUNDS),
  /** The debate's id, for a client that needs it before the first response. */
  id: DebateId.optional(),
});
export type StartRequest = z.infer<typeof StartRequest>;

/** A person's answer to "the next round is ready". */
export const Decision = z.discriminatedUnion(
  "decision",
  [
    z.strictObject({
      decision: z.literal("continue"),
      /** A remark to both debaters. */
      word: z
        .string("must be a text")
        .trim()
        .min(1, "must not be empty")
        .max(MAX_REMARK_LENGTH, `must have at most ${MAX_REMARK_LENGTH} characters`)
        .optional(),
    }),
    z.strictObject({ decision: z.literal("stop") }),
  ],
  'must be "continue" or "stop"',
);
export type Decision = z.infer<typeof Decision>;

/** Without a decision, an interrupted round continues, and an open question is sent again. */
export const ResumeRequest = z.strictObject({
  decision: z.enum(["continue", "stop"], 'must be "continue" or "stop"').optional(),
  word: z.unknown().optional(),
  /** The question that this answers. A question can be answered once. */
  interruptId: z.string("must be a text").optional(),
});
