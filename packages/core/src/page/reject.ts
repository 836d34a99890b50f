// Rejections in few words. Those that an application gives are the ones of the authority.

import type { Rejection, RejectionCode } from "../engine/rejection/rejection.ts";
import { defined } from "../defined.ts";
import { copyJsonOnPage } from "./json.ts";

export function rejection(
  code: RejectionCode,
  type: string,
  message: string,
  { details, ...parts }: Partial<Pick<Rejection, "reason" | "path" | "issues" | "details">> = {},
): Rejection {
  let own: unknown;
  try {
    own = copyJsonOnPage(details);
  } catch {
    // Details that are not JSON are left out, and so are absent ones.
  }
  return defined({ ...parts, code, message, details: own, operation: { type } });
}
