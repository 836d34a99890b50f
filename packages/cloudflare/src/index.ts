export { objectLog } from "./log/object-log.ts";
export type { ObjectLogOptions } from "./log/object-log.ts";
