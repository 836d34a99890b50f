// The message to an actor that may not use an operation. The page's build says it alike: a page
// hydrates what a server rendered.

import type { ActorKind } from "../actor.ts";

export function forbiddenText(kind: ActorKind, type: string, allow: readonly ActorKind[]): string {
  return `Actors of kind "${kind}" are not allowed to use "${type}". Allowed: ${allow.join(", ") || "none"}.`;
}
