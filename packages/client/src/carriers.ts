// The entry `@opstate/client/carriers`: the port between a client and its authority, and the parts
// of a connection, for opstate's own packages and for authors of carriers.

export type {
  Carrier,
  CarrierConnection,
  CarrierListener,
  CarrierMessage,
  Participant,
  PresenceValue,
  ThreadPosition,
} from "./carrier.ts";
export type {
  AccessOptions,
  ApproveAccessOptions,
  BranchAccess,
  DecideAccessOptions,
  ThreadAccess,
  UndoAccessOptions,
} from "./thread-access.ts";
export { RequestError } from "./connection/http/request.ts";
export type { RequestHeaders, RequestOptions } from "./connection/http/request.ts";
export { httpAccess } from "./connection/http/http-access.ts";
export type { HttpAccess } from "./connection/http/http-access.ts";
export { httpCarrier } from "./connection/http/http-carrier.ts";
export type { HttpCarrierOptions } from "./connection/http/http-carrier.ts";
export { socketCarrier } from "./connection/socket/socket-carrier.ts";
export { checkId } from "./connection/http/path-part.ts";
export { Requester } from "./connection/http/request.ts";
export { SharedConnection } from "./connection/shared-connection.ts";
export type { ThreadListener } from "./connection/shared-connection.ts";
export { threadsCarrier } from "./connection/threads-carrier.ts";
export { tabCarrier } from "./tabs/tab-carrier.ts";
export type { TabCarrierOptions } from "./tabs/tab-carrier.ts";
