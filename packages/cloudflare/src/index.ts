export { createEdge } from "./create-edge.ts";
export type { Edge, ObjectClass } from "./create-edge.ts";
export type { EdgeBindings, EdgeOptions, OptionsOf } from "./edge-options.ts";
export { objectLog } from "./log/object-log.ts";
export type { ObjectLogOptions } from "./log/object-log.ts";
export type { ObjectNamespace, ObjectState, ObjectStorage } from "./platform.ts";
