// The entry `@opstate/core/transport`: the messages between a replica and its authority, and what
// of a replica is stored, for authors of transports and stores. The port itself is `Transport` of
// the root; its acceptance suite is `transportContract` of `@opstate/core/testing`.

export type { ReplicaSnapshot, Restored, StoredSubmission } from "./replica/replica.ts";
export { readOnlyRejection } from "./replica/read-only.ts";
export { waitsForRetry } from "./replica/transport.ts";
export type { TransportConnection, TransportMessage, TransportStatus } from "./replica/transport.ts";
export type { Submission } from "./thread/commit.ts";
export type { SubmittedThing } from "./thread/things/submitted-things.ts";
