// A run's error in plain words: what happened, and what to do.

import type { ChatError } from "@opstate/ag-ui";

export interface Explanation {
  readonly title: string;
  /** The original message of the server or the protocol. */
  readonly said: string;
  readonly advice: string;
}

export function explainError({ kind, code, message, eventType }: ChatError, origin: string): Explanation {
  const said = message;
  switch (kind) {
    case "transport":
      return { said, ...transport(code ?? "", origin) };
    case "agent":
      return {
        said: code === undefined ? said : `${said} (${code})`,
        title: "The agent reported an error.",
        advice: "The run ended with RUN_ERROR. What the agent did before stays; you can write again.",
      };
    case "truncated":
      return {
        said,
        title: "The stream stopped in the middle of the run.",
        advice: "A run ends with RUN_FINISHED or RUN_ERROR. Look at the last event, then at the server's own log.",
      };
    case "malformed":
      return {
        said,
        title: `The agent sent ${eventType === undefined ? "something that is not an AG-UI event" : `a malformed ${eventType}`}.`,
        advice: "The raw event is the last one in the list of events.",
      };
    case "protocol":
      return {
        said,
        title: `The agent sent events in an order that AG-UI forbids${eventType === undefined ? "" : ` (${eventType})`}.`,
        advice: "Step back through the events to see what came before.",
      };
  }
}

function transport(code: string, origin: string): { title: string; advice: string } {
  if (code === "unreachable")
    return {
      title: "This address cannot be reached.",
      advice: "Check that the server runs, and the host and port in the address.",
    };
  if (code === "cors")
    return {
      title: "The server is there, but does not let this page in (CORS).",
      advice: `On the server, allow the origin ${origin}, the method POST and the header content-type.`,
    };
  if (code === "not_ag_ui" || code === "not_json" || code === "no_body")
    return {
      title: "This address does not speak AG-UI.",
      advice: "Use the address that runs are posted to; it is often not the site's own.",
    };
  if (code === "http_401" || code === "http_403")
    return {
      title: "The server requires authorization.",
      advice: "Fill in the Authorization field under Options, and connect again.",
    };
  if (code === "http_404")
    return { title: "The server has no agent at this address.", advice: "Check the path. The server itself answers." };
  if (code === "http_405")
    return {
      title: "This address does not accept runs.",
      advice: "AG-UI posts each run. Use the address that accepts POST.",
    };
  if (code.startsWith("http_5"))
    return { title: "The server failed.", advice: "The server's own log says why. You can write again." };
  if (code.startsWith("http_"))
    return {
      title: "The server refused the run.",
      advice: "It says what was wrong with it; the address or the options may need a change.",
    };
  return { title: "The stream broke off.", advice: "The connection was lost. You can write again." };
}
