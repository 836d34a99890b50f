export { conformanceList } from "./definition.ts";
export { conformanceIdentity, identities } from "./identities.ts";
export type { Identity, IdentityName } from "./identities.ts";
export { runConformance } from "./run-conformance.ts";
export type { ConformanceOptions, ScenarioResult } from "./run-conformance.ts";
export type { ExpectedEvent, OpenStep, ReadStep, Scenario, SendStep, Step } from "./run/scenario.ts";
export type { ServerUnderTest } from "./run/server.ts";
export { readScenarios, readVectors, vectorsPath } from "./vectors.ts";
export type { NamedScenario } from "./vectors.ts";
