// The entry `@opstate/core/transport`: the messages between a replica and its authority, for
// authors of transports. The port itself is `Transport` of the root; its acceptance suite is
// `transportContract` of `@opstate/core/testing`.

export { waitsForRetry } from "./replica/transport.ts";
export type { TransportConnection, TransportMessage, TransportStatus } from "./replica/transport.ts";
export type { Submission } from "./thread/commit.ts";
export type { SubmittedThing } from "./thread/submitted-things.ts";
