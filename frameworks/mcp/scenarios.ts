// The server scenarios of @modelcontextprotocol/conformance 0.1.16, and what the server of `app/`
// does in each. They judge the protocols of 2025. That of 2026-07-28 is judged by the official
// client, in `packages/mcp/test/`.

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
  "tools-call-elicitation": "pass",
  "json-schema-2020-12": "pass",
  "elicitation-sep1034-defaults": "pass",
  "server-sse-polling": "pass",
  "server-sse-multiple-streams": "pass",
  "elicitation-sep1330-enums": "pass",
  "resources-list": "pass",
  "resources-read-text": "pass",
  "resources-read-binary": "pass",
  "resources-templates-read": "pass",
  "resources-subscribe": "pass",
  "resources-unsubscribe": "pass",
  "prompts-list": "pass",
  "prompts-get-simple": "pass",
  "prompts-get-with-args": "pass",
  "prompts-get-embedded-resource": "pass",
  "prompts-get-with-image": "pass",
  "dns-rebinding-protection": "pass",
};
