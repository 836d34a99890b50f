// A replica with 1,000 operations of its own, and their commits as they come back, beside what the
// authority takes for the same operations.

import {
  type Actor,
  type AnyOperation,
  type Commit,
  createReplica,
  defineState,
  memoryLog,
  openThread,
  threadTransport,
  type Transport,
} from "@opstate/core";
import type { TransportMessage } from "@opstate/core/transport";
import { z } from "zod";
import { type Board, BoardSchema, type Card, makeBoard, moveOn } from "../boards/boards.ts";
import { median } from "../harness/median.ts";
import { ada, robot } from "../boards/rename-board.ts";

export const PENDING = 1_000;
const ROUNDS = 5;

export const PENDING_ROW = {
  authority: "the authority alone",
  single: "commits one by one",
  grouped: "commits in messages of 64",
  batches: "`$batch` of two, one by one",
  batchesOnAuthority: "the authority alone, `$batch` of two",
  offline: "offline, then all of it in process, authority included",
  between: "one by one, and 10 commits of others between them",
} as const;

function find(draft: Board, cardId: string): Card | undefined {
  for (const column of draft.columns) {
    const card = column.cards.find((each) => each.cardId === cardId);
    if (card) return card;
  }
  return undefined;
}

const board = (cards: number) =>
  defineState({
    name: "board",
    schema: BoardSchema,
    initial: makeBoard(cards),
    derive: { "/columns/*/cardCount": (column) => column.cards.length },
    operations: {
      add: {
        input: z.object({ column: z.string(), title: z.string() }),
        apply(draft, { column, title }, { reject, id }) {
          const found = draft.columns.find(({ columnId }) => columnId === column);
          if (!found) return reject("column_not_found");
          found.cards.push({ cardId: id("T-"), title, priority: 1 });
        },
      },
      move: {
        input: z.object({ cardId: z.string(), toColumn: z.string() }),
        apply(draft, input, { reject }) {
          if (moveOn(draft, input).length === 0) return reject("not_found");
        },
      },
      rename: {
        input: z.object({ cardId: z.string(), title: z.string() }),
        apply(draft, { cardId, title }, { reject }) {
          const card = find(draft, cardId);
          if (!card) return reject("card_not_found");
          card.title = title;
        },
      },
    },
  });

type BoardDefinition = ReturnType<typeof board>;
type Edit = AnyOperation & Readonly<Record<string, unknown>>;

/** What a person does: cards are renamed and moved, and now and then one is added. */
function editOf(n: number, cards: number): Edit {
  const column = n % 20;
  const cardId = `T-${column}-${Math.floor(n / 20) % (cards / 20)}`;
  if (n % 10 === 9) return { type: "add", column: `column-${column}`, title: `New ${n}` };
  if (n % 3 === 0) return { type: "move", cardId, toColumn: `column-${(column + 1 + n) % 20}` };
  return { type: "rename", cardId, title: `Title ${n} of a card` };
}

function batchOf(n: number, cards: number): Edit {
  return { type: "$batch", operations: [editOf(2 * n, cards), editOf(2 * n + 1, cards)] };
}

/** By row: milliseconds for all 1,000 of them. */
export async function measurePending(cards: number): Promise<Readonly<Record<string, number>>> {
  const definition = board(cards);
  const edits = Array.from({ length: PENDING }, (_, n) => editOf(n, cards));
  const batches = Array.from({ length: PENDING }, (_, n) => batchOf(n, cards));
  const samples: Record<string, number[]> = {};
  const note = (row: string, took: number) => (samples[row] ??= []).push(took);
  for (let round = 0; round <= ROUNDS; round++) {
    const alone = await onAuthority(definition, edits);
    const batched = await onAuthority(definition, batches);
    const mixed = await onAuthority(definition, edits, 100);
    if (round === 0) {
      drain(definition, edits, alone.commits, 1);
      continue;
    }
    note(PENDING_ROW.authority, alone.took);
    note(PENDING_ROW.single, drain(definition, edits, alone.commits, 1));
    note(PENDING_ROW.grouped, drain(definition, edits, alone.commits, 64));
    note(PENDING_ROW.between, drain(definition, edits, mixed.commits, 1));
    note(PENDING_ROW.offline, await offline(definition, edits));
    note(PENDING_ROW.batchesOnAuthority, batched.took);
    note(PENDING_ROW.batches, drain(definition, batches, batched.commits, 1));
  }
  return Object.fromEntries(Object.entries(samples).map(([row, each]) => [row, median(each)]));
}

/** `foreign`: after so many, another actor adds a card. */
async function onAuthority(
  definition: BoardDefinition,
  edits: readonly Edit[],
  foreign = Infinity,
): Promise<{ readonly took: number; readonly commits: readonly Commit[] }> {
  const thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
  const commits: Commit[] = [];
  thread.onCommit((commit) => commits.push(commit));
  const dispatch = (operation: Edit, id: string, actor: Actor) => thread.submit(operation, { id, actor });
  const start = performance.now();
  const verdicts = await Promise.all(
    edits.flatMap((edit, n) => {
      const own = dispatch(edit, `own-${n}`, ada);
      if (n % foreign !== foreign - 1) return [own];
      return [own, dispatch({ type: "add", column: "column-7", title: `Theirs ${n}` }, `${n}`, robot)];
    }),
  );
  const took = performance.now() - start;
  const refused = verdicts.find(({ accepted }) => !accepted);
  if (refused !== undefined) throw new Error(`refused: ${JSON.stringify(refused)}`);
  // As they come over a wire.
  return { took, commits: JSON.parse(JSON.stringify(commits)) as Commit[] };
}

/** From the first message to the view after the last. */
function drain(
  definition: BoardDefinition,
  edits: readonly Edit[],
  commits: readonly Commit[],
  perMessage: number,
): number {
  let receive: (message: TransportMessage) => void = () => {};
  const online: Transport = {
    connect({ onMessage, onStatus }) {
      receive = onMessage;
      onStatus("online");
      return { send() {}, close() {} };
    },
  };
  const snapshot = { version: 0, state: structuredClone(definition.initial) };
  const replica = createReplica({ definition, transport: online, snapshot, actor: ada });
  for (const [n, edit] of edits.entries()) replica.submit(edit, { id: `own-${n}` }).catch(() => undefined);
  const start = performance.now();
  for (let at = 0; at < commits.length; at += perMessage)
    receive({ type: "commits", commits: commits.slice(at, at + perMessage) });
  const took = performance.now() - start;
  const { version, pending } = replica.sync.getState();
  if (version !== commits.length || pending.length > 0)
    throw new Error(`the replica is at ${version} with ${pending.length} pending`);
  replica.close();
  return took;
}

/** From the moment of going online to the last verdict, in the process of the thread. */
async function offline(definition: BoardDefinition, edits: readonly Edit[]): Promise<number> {
  const thread = await openThread({ definition, log: memoryLog(), threadId: "t" });
  const inner = threadTransport(thread, { actor: ada });
  let goOnline: () => void = () => {};
  const later: Transport = {
    connect(options) {
      const line = inner.connect({ ...options, onStatus: (status) => status !== "online" && options.onStatus(status) });
      goOnline = () => options.onStatus("online");
      return line;
    },
  };
  const snapshot = { version: 0, state: structuredClone(definition.initial), incarnation: thread.incarnation };
  const replica = createReplica({ definition, transport: later, snapshot, actor: ada });
  const verdicts = edits.map((edit, n) => replica.submit(edit, { id: `own-${n}` }));
  const start = performance.now();
  goOnline();
  await Promise.all(verdicts);
  const took = performance.now() - start;
  replica.close();
  await thread.close();
  return took;
}
