// Copies a text, and says so.

import type { Announcer } from "./announcer.ts";

/** Resolves to whether it was copied. */
export async function copyText(text: string, done: string, announcer: Announcer): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announcer.say(done);
    return true;
  } catch {
    announcer.say("The browser does not let this page write to the clipboard.");
    return false;
  }
}
