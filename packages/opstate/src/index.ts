// What the command line does, as functions: for a job, or a log of one's own.

export type { OnProgress, Progress } from "./log/archive.ts";
export { backUpSqlite } from "./log/back-up-sqlite.ts";
export { checkLog } from "./log/check-log.ts";
export type { Checked, CheckOptions, Finding } from "./log/check-log.ts";
export { exportLog } from "./log/export-log.ts";
export type { ExportOptions } from "./log/export-log.ts";
export { restoreLog } from "./log/restore-log.ts";
export type { RestoreOptions } from "./log/restore-log.ts";
