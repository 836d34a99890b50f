// A tool that ends the answer with two or three replies, which a page shows as buttons. The text of
// the same message is the question.

import { TOOL_WORDS } from "@opstate/kanban-domain";
import { tool } from "langchain";
import { z } from "zod";

export const offerReplies = tool(() => "Shown as buttons below your text.", {
  name: "offerReplies",
  description: TOOL_WORDS.offerReplies,
  schema: z.object({ replies: z.array(z.string().min(1).max(200)).min(2).max(3) }),
  returnDirect: true,
});
