// Arguments that are cut anywhere, of two agents at once. What a page shows of them is what the
// oracle says, it is a state of the definition, and it ends with the verdict.

import { intentsOf } from "@opstate/client/intents";
import type { StateOf } from "@opstate/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { safeParse } from "zod/v4/core";
import { runs } from "../../../../tools/runs.ts";
import { argumentsIn } from "./arguments-in.ts";
import { type Desk, desk, DeskSchema, openDesk, robot } from "./desk.ts";

/** What the definition marks as free text, and what is never previewed. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  add: ["title"],
  retitle: ["title"],
  note: ["note.body"],
  open: ["name"],
  say: ["motto"],
  move: [],
  remove: ["why"],
  swap: ["title"],
};
const REMOVES = new Set(["remove", "swap"]);

const text = fc.oneof(
  fc.constantFrom("Write docs", "Plan", "todo", "todo later", "Done", "", "  spaces ", 'café 👩‍🚀 \\ "q" \n', "T-4"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ minLength: 38, maxLength: 44 }),
);
const list = fc.constantFrom("todo", "done", "doing", "tod");
const card = fc.constantFrom("T-4", "T-42", "T-422");
const call = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        type: fc.constant("add"),
        list,
        title: text,
        urgency: fc.constantFrom("low", "high", "hi"),
        position: fc.nat(3),
      },
      { requiredKeys: ["type", "list", "title"] },
    ),
  },
  fc.record({ type: fc.constant("retitle"), card, title: text }),
  fc.record({ type: fc.constant("note"), card, note: fc.record({ by: text, body: text }) }),
  fc.record({ type: fc.constant("open"), name: text }),
  fc.record({ type: fc.constant("say"), motto: text }),
  fc.record({ type: fc.constant("move"), card, to: list }, { requiredKeys: ["type", "to"] }),
  fc.record({ type: fc.constant("remove"), card, why: text }),
  fc.record({ type: fc.constant("swap"), card, title: text }),
);

/** The arguments as a model may write them: members in any order, spaced and escaped in any way. */
const written = call.chain((operation) => {
  const { type, ...input } = operation;
  return fc.record({
    operation: fc.constant(operation as { readonly type: string }),
    type: fc.constant(type),
    text: fc
      .record({
        order: fc.shuffledSubarray(Object.entries(input), { minLength: Object.keys(input).length }),
        indent: fc.constantFrom(0, 1, 3),
        isEscaped: fc.boolean(),
        garbage: fc.constantFrom("", "", "", "", ' "', "}", ",,"),
      })
      .map(({ order, indent, isEscaped, garbage }) => {
        const json = JSON.stringify(Object.fromEntries(order), null, indent);
        return { json: isEscaped ? escaped(json) : json, garbage };
      }),
  });
});

function escaped(json: string): string {
  return json.replace(/[^\x20-\x7e\n]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Where each text is cut, and when its pieces come. */
const step = fc.record({ agent: fc.constantFrom(0, 1), length: fc.integer({ min: 1, max: 14 }) });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Written = typeof written extends fc.Arbitrary<infer Value> ? Value : never;

/** The view that the first `length` signs of a text lead to. */
function shown(base: unknown, { type, text: { json, garbage } }: Written, length: number, id: string): unknown {
  const free = FREE[type] ?? [];
  const isWhole = length >= json.length;
  const isBroken = (json + garbage).slice(json.length, length).trim() !== "";
  const input = argumentsIn(json.slice(0, length), free);
  if (input === undefined || isBroken || REMOVES.has(type) || (free.length === 0 && !isWhole)) return base;
  const submission = { actor: robot, id, at: "2026-01-01T00:00:00.000Z" };
  const { accepted, state } = desk.transition(base as StateOf<Desk>, { ...input, type }, submission);
  return accepted ? state : base;
}

/** A turn of the event loop at a time: nothing here takes longer. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 100_000) throw new Error(`This did not come: ${String(holds)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Ids of what is new are not compared. */
const withoutNewIds = (state: unknown) => JSON.stringify(state).replace(/"(T|N)-[a-z0-9]{10}"/g, '"new"');

it("shows nothing illegal, nothing else than the closed arguments mean, and nothing after the verdict", async () => {
  const { thread, authority, submit, close } = await openDesk();
  const intents = intentsOf(thread);
  const isHere = () => thread.sync.getState().version === authority.version;
  /** Commits in whose moment their own intent was still there. */
  const late: unknown[] = [];
  thread.onCommit(({ toolCallId }) => {
    late.push(...intents.getState().intents.filter(({ id }) => id === toolCallId));
  });

  /** Each begins alike: what an earlier one changed is replaced. */
  async function begin(): Promise<StateOf<Desk>> {
    await authority.submit({ type: "$replace", value: desk.initial }, { actor: robot });
    await until(isHere);
    return thread.getState();
  }

  async function write(texts: readonly Written[], steps: readonly Step[], run: string): Promise<void> {
    const before = await begin();
    const ids = texts.map((_, index) => `${run}.${index}`);
    const calls = texts.map(({ type }, index) => intents.open({ id: ids[index] ?? "", type, runId: run }));
    const lengths = texts.map(() => 0);
    try {
      for (const { agent, length } of steps) {
        const { json = "", garbage = "" } = texts[agent]?.text ?? {};
        const from = lengths[agent] ?? 0;
        calls[agent]?.write((json + garbage).slice(from, from + length));
        lengths[agent] = from + length;
        const expected = texts.reduce<unknown>(
          (base, each, index) => shown(base, each, lengths[index] ?? 0, ids[index] ?? ""),
          before,
        );
        const { view } = intents.getState();
        expect({ lengths, view: withoutNewIds(view) }).toEqual({ lengths, view: withoutNewIds(expected) });
        expect(safeParse(DeskSchema, view).success).toBe(true);
        expect(thread.getState()).toBe(before);
      }
      for (const [index, { operation }] of texts.entries()) {
        const verdict = await submit(operation, { toolCallId: ids[index] ?? "", runId: run });
        // What changed nothing, and what was refused too often, only the feed says.
        if (!verdict.accepted || verdict.commit === undefined) calls[index]?.end();
      }
      await until(isHere);
      await until(() => intents.getState().intents.length === 0);
      expect(intents.getState().view).toEqual(authority.getState());
      expect(late).toEqual([]);
    } finally {
      for (const call of calls) call.end();
    }
  }

  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.tuple(written, written), fc.array(step, { minLength: 1, maxLength: 12 }), (texts, steps) =>
      write(texts, steps, `run_${(run += 1)}`),
    ),
    { numRuns: runs(1_000, 20_000) },
  );
  await close();
});
