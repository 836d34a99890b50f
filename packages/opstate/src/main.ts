#!/usr/bin/env node
// The program `opstate`.

import { run } from "./command-line/run.ts";

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  now: () => performance.now(),
});
