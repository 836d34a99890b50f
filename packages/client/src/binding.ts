// The entry `@opstate/client/binding`: what bindings share. `@opstate/react` and `@opstate/svelte`
// are made of it, and a binding for another framework can be.

export { detachedThread } from "./binding/detached-thread.ts";
export { momentsOf } from "./binding/moments.ts";
export type { Moment, Moments, MomentSource } from "./binding/moments.ts";
export { createSelection } from "./binding/selection.ts";
export type { IsEqual } from "./binding/selection.ts";
export { intentsReader } from "./intents/reader.ts";
export type { IntentsReader } from "./intents/reader.ts";
export { proposalOutcomeOf } from "./proposal-outcome.ts";
export type { ProposalOutcomeState } from "./proposal-outcome.ts";
export { readOnlyRejection } from "@opstate/core/transport";
