export type { ContractCase } from "./contract.ts";
export { logContract } from "./log-contract.ts";
export type { LogContractOptions, LogUnderTest } from "./log-contract.ts";
