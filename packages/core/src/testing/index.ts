export { bindingContract } from "./binding-contract.ts";
export type { BindingUnderTest, BindingView, ProvideOptions } from "./binding-contract.ts";
export { checkDefinition } from "./check-definition.ts";
export type { CheckFinding, CheckOptions, CheckResult } from "./check-definition.ts";
export type { ContractCase } from "./contract.ts";
export { logContract } from "./log-contract.ts";
export type { LogContractOptions, LogUnderTest } from "./log-contract.ts";
export { transportContract } from "./transport-contract.ts";
export type { TransportContractOptions, TransportUnderTest } from "./transport-contract.ts";
