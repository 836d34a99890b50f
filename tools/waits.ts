// What a test waits for comes late on a busy machine: `vi.waitFor` and `vi.waitUntil` wait a minute
// for it, where their default is a second.

import { vi } from "vitest";

const A_MINUTE = { timeout: 60_000 };
const { waitFor, waitUntil } = vi;

vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { ...A_MINUTE, ...options });
vi.waitUntil = (callback, options) =>
  waitUntil(callback, typeof options === "number" ? options : { ...A_MINUTE, ...options });
