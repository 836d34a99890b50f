// The entry `@opstate/core/engine`: what a definition and a replica run on. Under the condition
// `opstate-page`, or by an alias, `page/engine.ts` stands in its place; it has the same names.
//
// Only `defineState` and the replica import it. A thread imports the files behind it, so that an
// authority runs on the full engine in every build. For opstate's own packages.

export { compile } from "./definition/compile.ts";
export { rejection } from "./engine/rejection/reject.ts";
export { run } from "./engine/run.ts";
export { describeOperation } from "./engine/sentence.ts";
export { nameState } from "./engine/things/index.ts";
export { reused } from "./thread/authority/decide.ts";
export { readUpdate } from "./thread/authority/read-update.ts";
export { confirm, confirmCommit, isSameOutcome } from "./thread/confirmed.ts";
export {
  isHeldToThings,
  nameStep,
  otherThing,
  submittedThing,
  THINGS_LIMIT,
} from "./thread/things/submitted-things.ts";
export { originOf } from "./thread/origin.ts";
