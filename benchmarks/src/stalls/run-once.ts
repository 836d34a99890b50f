import { stallTables } from "./stalls.ts";
process.env["NODE_ENV"] = "production";
await stallTables(process.argv[2] ?? "");
