// What a person has typed and not sent: the plan of a new debate, and a remark after a round. Both
// are threads of this browser alone, so a reload loses none of it.

import type { ClientStorage, ClientThread } from "@opstate/client";
import { createLocal } from "@opstate/client/local";
import { defined, defineState } from "@opstate/core";
import { createAgentStateContext } from "@opstate/react";
import * as z from "zod/mini";
import { DEFAULT_ROUNDS, MAX_REMARK_LENGTH, MAX_ROUNDS, MAX_TOPIC_LENGTH } from "../debate/limits.ts";

const Topic = z.string().check(z.maxLength(MAX_TOPIC_LENGTH));
const Rounds = z.int().check(z.minimum(1), z.maximum(MAX_ROUNDS));
const RemarkText = z.string().check(z.maxLength(MAX_REMARK_LENGTH));

/** The form of a new debate. */
export const plan = defineState({
  name: "plan",
  schema: z.object({ topic: Topic, maxRounds: Rounds }),
  initial: { topic: "", maxRounds: DEFAULT_ROUNDS },
  operations: {
    write: {
      input: z.object({ topic: Topic }),
      apply(draft, { topic }) {
        draft.topic = topic;
      },
    },
    setRounds: {
      input: z.object({ maxRounds: Rounds }),
      apply(draft, { maxRounds }) {
        draft.maxRounds = maxRounds;
      },
    },
    /** Empties the form for the next debate. */
    start: {
      input: z.object({}),
      apply(draft, _, { reject }) {
        if (draft.topic.trim() === "") return reject("no_topic", "Say what they should argue about.");
        draft.topic = "";
        draft.maxRounds = DEFAULT_ROUNDS;
      },
    },
  },
});

/** What is to be said to both debaters after a round. */
export const remark = defineState({
  name: "remark",
  schema: z.object({ round: z.int(), text: RemarkText }),
  initial: { round: 0, text: "" },
  operations: {
    write: {
      input: z.object({ round: z.int(), text: RemarkText }),
      apply(draft, { round, text }) {
        draft.round = round;
        draft.text = text;
      },
    },
  },
});

/** The remark of the debate that is open. */
export const Remark = createAgentStateContext(remark);

export interface Drafts {
  readonly plan: ClientThread<typeof plan>;
  /** The same thread for the same debate. */
  remarkOf(debate: string): ClientThread<typeof remark>;
}

/** Without a storage they last as long as the page. */
export function createDrafts(storage?: ClientStorage): Drafts {
  const options = { actor: { kind: "user", id: "me" }, ...defined({ storage }) } as const;
  const remarks = new Map<string, ClientThread<typeof remark>>();
  return {
    plan: createLocal(plan, options),
    remarkOf(debate) {
      const thread = remarks.get(debate) ?? createLocal(remark, { ...options, threadId: `remark-${debate}` });
      remarks.set(debate, thread);
      return thread;
    },
  };
}
