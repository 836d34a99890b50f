// Reads requests to undo the last run.

import { commonIntent } from "@opstate/chat-model/common-intents.ts";
import type { Reader } from "./intents.ts";

export const undo: Reader = (text) => (commonIntent(text) === "undo" ? { kind: "undo" } : undefined);
