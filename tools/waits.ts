// What a test waits for comes late on a busy machine: `vi.waitFor` and `vi.waitUntil` wait a minute
// for it, where their default is a second.

import { vi } from "vitest";

const aMinute = { timeout: 60_000 };
const { waitFor, waitUntil } = vi;

vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === "number" ? options : { ...aMinute, ...options });
vi.waitUntil = (callback, options) =>
  waitUntil(callback, typeof options === "number" ? options : { ...aMinute, ...options });
