// The server scenarios of @modelcontextprotocol/conformance 0.1.16, and what the server of `app/`
// does in each. They judge the protocols of 2025. That of 2026-07-28 is judged by the official
// client, in `packages/mcp/test/`.

const NEEDS_A_SESSION =
  "It needs a session of the protocol of 2025, in which the server sends to the client. The endpoint keeps none: any process answers any request.";
const ELICITATION = `${NEEDS_A_SESSION} With the protocol of 2026-07-28 an approval is elicited: packages/mcp/test/elicitation.test.ts.`;
const SUBSCRIPTION = `${NEEDS_A_SESSION} With the protocol of 2026-07-28 a client subscribes: packages/mcp/test/resources.test.ts.`;
const LOGGING = "Logging is deprecated since 2026-07-28, and the endpoint has nothing to log to clients.";

/** "pass", or why it cannot. */
export const SCENARIOS: Readonly<Record<string, string>> = {
  "server-initialize": "pass",
  "logging-set-level": LOGGING,
  ping: "pass",
  "completion-complete": "pass",
  "tools-list": "pass",
  "tools-call-simple-text": "pass",
  "tools-call-image": "pass",
  "tools-call-audio": "pass",
  "tools-call-embedded-resource": "pass",
  "tools-call-mixed-content": "pass",
  "tools-call-with-logging": LOGGING,
  "tools-call-error": "pass",
  "tools-call-with-progress": "pass",
  "tools-call-sampling": "Sampling is deprecated since 2026-07-28, and the endpoint asks no model.",
  "tools-call-elicitation": ELICITATION,
  "json-schema-2020-12": "pass",
  "elicitation-sep1034-defaults": ELICITATION,
  "server-sse-polling": `Warnings only: no session id, no first event to resume from. ${NEEDS_A_SESSION}`,
  "server-sse-multiple-streams": `A warning only: no session id. ${NEEDS_A_SESSION}`,
  "elicitation-sep1330-enums": ELICITATION,
  "resources-list": "pass",
  "resources-read-text": "pass",
  "resources-read-binary": "pass",
  "resources-templates-read": "pass",
  "resources-subscribe": SUBSCRIPTION,
  "resources-unsubscribe": SUBSCRIPTION,
  "prompts-list": "pass",
  "prompts-get-simple": "pass",
  "prompts-get-with-args": "pass",
  "prompts-get-embedded-resource": "pass",
  "prompts-get-with-image": "pass",
  "dns-rebinding-protection": "pass",
};
