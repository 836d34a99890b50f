// OpstateErrors that are the fault of the request, or that are over soon, as problems.

import { OpstateError } from "@opstate/core";
import { Problem } from "../http/problem.ts";

/** The problem that a sender gets for any error. `onError` gets those that concern the operator. */
export function toProblem(error: unknown, onError: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  const problem = problemOfError(error);
  // The operator needs this one too: the log may be gone for good.
  if (!problem || problem.code === "log_unavailable") onError(error);
  return problem ?? new Problem("failure", "The server failed. Its own log has the error.");
}

/** Undefined for any other error: that is a failure of the server. */
function problemOfError(error: unknown): Problem | undefined {
  if (!(error instanceof OpstateError)) return undefined;
  const [detail = ""] = error.message.split("\n");
  switch (error.code) {
    case "invalid_pointer":
      return new Problem("invalid_query", detail);
    case "invalid_branch":
    case "invalid_id":
    case "compacted":
      return new Problem(error.code, detail);
    case "closed":
    case "replaced":
      return new Problem("closing", "The thread was closed in the meantime. Send the request again.");
    case "log_unavailable":
    case "not_owner":
    case "timed_out":
      return new Problem(
        "log_unavailable",
        "The log is locked or cannot be reached. Send the request again: a submission with an id has one effect.",
      );
    default:
      return undefined;
  }
}
