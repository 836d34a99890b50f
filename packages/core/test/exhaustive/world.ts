// The world of the model: two authorities, one log, two writers, and whatever may happen next.
//
// Everything that takes time may take any time, and calls, answers and hints may overtake one
// another. A choice of the world has a budget: a crash, a pause, a hint that is lost, a submission
// that arrives again, a call that fails. All else goes on by itself.
//
// - A pause is as long as it likes: no step of an authority need ever be next. What it brings about
//   is that a writer stops waiting, and sends again to the other one.
// - A hint that is lost is one that is under way for ever.
//
// Two authorities differ in nothing but their place, so a moment names them {0} and {1}.
//
// (Long because all that may happen next is listed here, one kind after another.)

import {
  type Attempt,
  down,
  type ModelAuthority,
  Moments,
  type Moved,
  opened,
  type Steps,
  unanswered,
  type Work,
} from "./authority.ts";
import * as laws from "./laws.ts";
import type { AppendCall, ModelLog } from "./log.ts";
import type * as rightLog from "./log.ts";
import { Remembered } from "./remembered.ts";
import { isApart, judgeOperations, type Operation, type Told } from "./operations.ts";

/** How often the world may do what no one wants, and how the log is made. */
export interface Configuration {
  readonly operations: readonly Operation[];
  readonly crashes: number;
  readonly pauses: number;
  readonly lostHints: number;
  /** Heads that are announced and that the log never had. */
  readonly wrongHints: number;
  /** Submissions that arrive once more, at any authority, at any time. */
  readonly repeats: number;
  /** Calls of the log that fail or are cancelled, before or after the log did them. */
  readonly failures: number;
  /** Commits that one read gives. */
  readonly page: number;
  /** Work in memory takes any time too. Else it ends in the moment in which it begins. */
  readonly isPaced: boolean;
  /** Entries that one append accepts. */
  readonly mostEntries: number;
}

export interface Parts {
  readonly steps: Steps;
  readonly log: Omit<typeof rightLog, "EMPTY_LOG">;
}

/** What a writer knows of its operation. */
export interface Sent {
  readonly isSent: boolean;
  /** The last verdict; a final one stays. */
  readonly told: Told | undefined;
}

export interface Surroundings {
  /** In the order of the configuration's operations. */
  readonly sent: readonly Sent[];
  readonly left: {
    readonly crashes: number;
    readonly pauses: number;
    readonly wrongHints: number;
    readonly repeats: number;
    readonly failures: number;
  };
  /** Appends whose writer is gone or waits no more: the log may do them yet. */
  readonly late: readonly AppendCall[];
}

export interface World {
  readonly authorities: readonly [ModelAuthority, ModelAuthority];
  readonly log: ModelLog;
  readonly surroundings: Surroundings;
}

export interface Moment {
  readonly world: World;
  /** What happened, in words. */
  readonly what: () => string;
  /** The law that it breaks, whatever it leads to. */
  readonly broken: string | undefined;
}

/** A head that no thread of the model has. */
const WRONG_HEAD = 9;

const NO_WORK = (work: Work): boolean => "isDone" in work && work.do !== "restore";

export function createModel(configuration: Configuration, { steps, log: logs }: Parts) {
  const { operations, page, mostEntries, isPaced } = configuration;
  const remembered = new Remembered();
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const kindOf = (id: string) => byId.get(id)?.kind;
  const moments = new Moments({
    steps,
    isPaced,
    judge: judgeOperations(operations, mostEntries),
    isApart: (id) => isApart(byId.get(id) as Operation),
    isMerge: (id) => kindOf(id) === "merge",
    isLong: (id) => kindOf(id) === "long",
  });

  /** What it is looked up by. */
  const receiptOwners = (id: string) => (kindOf(id) === "merge" ? ["m", id] : [id]);

  function first(): World {
    const { crashes, pauses, wrongHints, repeats, failures } = configuration;
    return {
      authorities: [opened(steps, []), opened(steps, [])],
      log: { commits: [], receipts: [] },
      surroundings: {
        sent: operations.map(() => ({ isSent: false, told: undefined })),
        left: { crashes, pauses, wrongHints, repeats, failures },
        late: [],
      },
    };
  }

  /** All that may happen next. When nothing goes on by itself, the laws of rest must be true. */
  function next(world: World): readonly Moment[] {
    const found: Moment[] = [];
    /** It goes on without a choice. */
    let isBusy = false;
    /** Hints under way. If nothing else is, they may be lost. */
    const hinted: string[] = [];
    const note = (what: () => string, after: World, broken?: string) => void found.push({ world: after, what, broken });
    const spend = (of: keyof Surroundings["left"], after: World = world): World =>
      surrounded(after, of, (before) => ({ ...before, left: { ...before.left, [of]: before.left[of] - 1 } }));

    function moved(place: 0 | 1, what: () => string, after: Moved, before: World = world): void {
      const { authority, told, isCorrupt } = after;
      let now = before;
      let broken = isCorrupt ? "An authority takes the log for corrupt." : undefined;
      for (const { attempt, told: verdict } of told) {
        const index = operations.findIndex(({ id }) => id === attempt.id);
        const earlier = now.surroundings.sent[index]?.told;
        broken ??= laws.brokenByTelling(before.log, operations[index] as Operation, attempt, verdict, earlier);
        if (verdict.verdict === "failed" || (earlier !== undefined && earlier.verdict !== "refused for now")) continue;
        now = surrounded(now, `${index} gets ${verdict.verdict} ${verdict.version}`, (rest) => ({
          ...rest,
          sent: rest.sent.with(index, { isSent: true, told: verdict }),
        }));
      }
      const words = () => [what(), ...told.map((one) => `${one.attempt.id} gets ${wordsOf(one.told)}`)].join("; ");
      note(told.length === 0 ? what : words, withAuthority(now, place, authority), broken);
    }

    function works(place: 0 | 1, authority: ModelAuthority): void {
      const isLive = authority.life === "live";
      for (const [index, work] of authority.works.entries()) {
        const isAsked = !NO_WORK(work) && !("isDone" in work ? work.isDone : work.answer);
        if (isAsked) {
          isBusy = true;
          atLog(place, authority, work);
        } else if (isLive) {
          isBusy = true;
          const log = work.do === "append" ? logs.afterAppend(world.log, work.call) : world.log;
          moved(place, () => `{${place}} ${endOf(work)}`, moments.goOn(authority, index), { ...world, log });
        }
        if (isLive && !NO_WORK(work) && world.surroundings.left.failures > 0) fails(place, authority, index, isAsked);
      }
    }

    function atLog(place: 0 | 1, authority: ModelAuthority, work: Work): void {
      const { what, log, after } = remembered.ofBoth(authority, world.log, work.do, () => {
        const { answered, what, log } = answer(authority, work);
        const works = authority.works.map((other) => (other === work ? answered : other));
        return { what, log, after: { ...authority, works } };
      });
      note(() => what.replace("{}", `{${place}}`), announced(withAuthority({ ...world, log }, place, after), world));
    }

    function answer(authority: ModelAuthority, work: Work): { answered: Work; what: string; log: ModelLog } {
      const { log } = world;
      switch (work.do) {
        case "read": {
          const { commits, isMore } = logs.readAfter(log, work.after, page);
          const answered = { ...work, answer: { commits, isMore, owed: authority.owed } };
          return { answered, log, what: `the log reads for {} what is after ${work.after}: ${namesOf(commits)}` };
        }
        case "lookUp": {
          const ids = authority.batch.flatMap(({ id }) => receiptOwners(id));
          const found = logs.receiptsOf(log, ids);
          const names = found.map(({ id }) => id).join(", ");
          return {
            answered: { ...work, answer: found },
            log,
            what: `the log looks up the receipts for {}: ${names || "none"}`,
          };
        }
        case "append": {
          const appended = logs.append(log, work.call);
          const answered = { ...work, answer: appended.answer };
          return { answered, log: appended.log, what: `${appendOf(work.call)} of {}: ${appended.answer.status}` };
        }
        default:
          return { answered: { do: "restore", isDone: true }, log, what: "the log reads the refusals for {}" };
      }
    }

    function fails(place: 0 | 1, authority: ModelAuthority, index: number, isAsked: boolean): void {
      const work = authority.works[index] as Work;
      for (const isTimedOut of [false, true]) {
        const how = isTimedOut ? "is given up" : "fails";
        const after = moments.fail(authority, index, isTimedOut);
        moved(place, () => `the call of {${place}} to ${work.do} ${how}`, after, spend("failures"));
        if (work.do !== "append" || !isAsked) continue;
        const what = () => `the call of {${place}} to append ${how}, and the log has it still to do`;
        moved(place, what, after, late(spend("failures"), work.call));
      }
    }

    function hints(place: 0 | 1, authority: ModelAuthority): void {
      const { left } = world.surroundings;
      const { hint } = authority;
      if (hint > 0 && authority.life === "live") {
        hinted.push(`the hint of head ${hint} to {${place}} is lost`);
        moved(place, () => `{${place}} is notified of head ${hint}`, moments.hear(authority, hint));
      }
      if (left.wrongHints > 0 && authority.life === "live") {
        const after = moments.hear(authority, WRONG_HEAD);
        moved(
          place,
          () => `{${place}} is notified of head ${WRONG_HEAD}, which is not there`,
          after,
          spend("wrongHints"),
        );
      }
    }

    function life(place: 0 | 1, authority: ModelAuthority): void {
      const { left } = world.surroundings;
      const be = (of: Partial<ModelAuthority>) => withAuthority(world, place, withParts(authority, of));
      if (authority.life === "live" && left.crashes > 0) {
        const gone = spend("crashes", withAuthority(world, place, down(steps.restingLoop(0))));
        note(() => `{${place}} crashes`, gone);
        for (const work of authority.works)
          if (work.do === "append" && work.answer === undefined)
            note(() => `{${place}} crashes, and the log has its append still to do`, late(gone, work.call));
      }
      if (authority.life === "down")
        note(() => `the log is loaded for {${place}}`, be({ life: "opening", confirmed: world.log.commits }));
      if (authority.life === "opening") {
        isBusy = true;
        const head = logs.headOf(world.log);
        // An authority that begins to watch gets the head.
        note(() => `{${place}} is open again`, be({ ...opened(steps, authority.confirmed), hint: head }));
      }
    }

    function writers(): void {
      const { sent, left } = world.surroundings;
      for (const [index, operation] of operations.entries()) {
        const { id, writer } = operation;
        const isFirst = sent[index]?.isSent !== true;
        const isNext = operations.every(
          (other, before) => before >= index || other.writer !== writer || sent[before]?.isSent === true,
        );
        if (isFirst && !isNext) continue;
        // No one that goes on has it, and no answer came: it is sent again.
        const holders = world.authorities.filter((authority) =>
          unanswered(authority).some((attempt) => attempt.id === id),
        );
        const isUnanswered = !isFirst && sent[index]?.told === undefined;
        const isLost = isUnanswered && holders.length === 0;
        if (!isFirst && !isLost && left.repeats === 0 && left.pauses === 0) continue;
        const before = isFirst
          ? surrounded(world, `send ${index}`, (rest) => ({
              ...rest,
              sent: rest.sent.with(index, { isSent: true, told: undefined }),
            }))
          : world;
        const since = operation.expectedVersion === undefined ? 0 : logs.headOf(world.log);
        const attempt: Attempt = { id, since, isWorkedOut: false };
        for (const place of [0, 1] as const) {
          const authority = world.authorities[place];
          if (authority.life !== "live") continue;
          const after = moments.submit(authority, attempt);
          if (isFirst) moved(place, () => `writer ${writer} sends ${id} to {${place}}`, after, before);
          else if (isLost) moved(place, () => `writer ${writer} sends ${id} again, to {${place}}`, after, before);
          else if (left.repeats > 0)
            moved(place, () => `${id} arrives once more, at {${place}}`, after, spend("repeats", before));
          else if (isUnanswered && holders.length === 1 && !holders.includes(authority)) {
            const what = () => `{${1 - place}} is paused, so writer ${writer} sends ${id} again, to {${place}}`;
            moved(place, what, after, spend("pauses", before));
          }
        }
      }
    }

    for (const place of [0, 1] as const) {
      const authority = world.authorities[place];
      works(place, authority);
      hints(place, authority);
      if (authority.life === "live" && authority.isRetryDue) {
        isBusy = true;
        moved(place, () => `{${place}} tries again`, moments.retry(authority));
      }
      if (authority.life === "live" && authority.aside.length > 0) {
        isBusy = true;
        moved(place, () => `{${place}} has worked out what it set aside`, moments.workOut(authority));
      }
      life(place, authority);
    }
    for (const call of world.surroundings.late) {
      isBusy = true;
      const { log, answer } = remembered.ofBoth(call, world.log, "append", () => logs.append(world.log, call));
      const without = surrounded({ ...world, log }, appendOf(call), (rest) => ({
        ...rest,
        late: rest.late.filter((other) => other !== call),
      }));
      note(() => `${appendOf(call)}, late: ${answer.status}`, announced(without, world));
    }
    writers();
    const isAtRest = !isBusy && hinted.length <= configuration.lostHints;
    const broken = isAtRest ? laws.brokenAtRest(world) : undefined;
    const atRest = () => [...hinted, "nothing is under way any more"].join("; ");
    if (broken !== undefined) found.push({ world, what: atRest, broken });
    return found;
  }

  /** An authority that watches is notified of a new head; of several, of the newest. */
  function announced(after: World, before: World): World {
    const hint = logs.headOf(after.log);
    if (hint === logs.headOf(before.log)) return after;
    const [a, b] = after.authorities;
    const told = (authority: ModelAuthority) =>
      authority.life === "live" ? withParts(authority, { hint }) : authority;
    return { ...after, authorities: [told(a), told(b)] };
  }

  function withParts(authority: ModelAuthority, of: Partial<ModelAuthority>): ModelAuthority {
    return remembered.of(authority, JSON.stringify(of), () => ({ ...authority, ...of }));
  }

  /** `key`: what is done to the surroundings. */
  function surrounded(world: World, key: string, make: (before: Surroundings) => Surroundings): World {
    const { surroundings } = world;
    return { ...world, surroundings: remembered.of(surroundings, key, () => make(surroundings)) };
  }

  function late(world: World, call: AppendCall): World {
    return surrounded(world, `late ${JSON.stringify(call)}`, (rest) => ({ ...rest, late: [...rest.late, call] }));
  }

  return { first, next, broken: (world: World) => laws.brokenNow(world, operations) };
}

export type Model = ReturnType<typeof createModel>;

function withAuthority(world: World, place: 0 | 1, authority: ModelAuthority): World {
  const [a, b] = world.authorities;
  return { ...world, authorities: place === 0 ? [authority, b] : [a, authority] };
}

function wordsOf({ verdict, version }: Told): string {
  return verdict === "failed" ? "that it failed" : `${verdict} at version ${version}`;
}

function namesOf(commits: readonly { readonly id: string; readonly version: number }[]): string {
  return commits.map(({ id, version }) => `${version} is ${id}`).join(", ") || "nothing";
}

function appendOf({ version, entries }: AppendCall): string {
  return `the log gets the append of ${entries.map(({ receipt }) => receipt.id).join(", ")} after version ${version}`;
}

function endOf(work: Work): string {
  switch (work.do) {
    case "gather":
      return "begins";
    case "dequeue":
      return "takes what waits";
    case "judge":
      return work.isDone ? "has set it aside" : "judges";
    case "publish":
      return work.isDone ? "has published" : "publishes";
    case "restore":
      return "gets the refusals";
    case "lookUp":
      return "gets the receipts";
    case "append":
      return `gets the answer: ${work.answer?.status}`;
    case "read":
      return "gets what it read";
  }
}
