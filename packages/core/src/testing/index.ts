export { bindingContract } from "./binding-contract/binding-contract.ts";
export type {
  BindingPage,
  BindingUnderTest,
  BindingView,
  ContractClient,
  ContractClients,
  ContractThread,
  ProvideOptions,
  Select,
} from "./binding-contract/binding-under-test.ts";
export { checkDefinition } from "./check-definition/check-definition.ts";
export type { CheckFinding, CheckOptions, CheckResult } from "./check-definition/check-definition.ts";
export { checkMigrations } from "./check-migrations/check-migrations.ts";
export type { MigrationFinding, MigrationsResult, StoredState } from "./check-migrations/check-migrations.ts";
export type { ContractCase } from "./shared/contract.ts";
export { logContract } from "./log-contract/log-contract.ts";
export type { LogContractOptions, LogUnderTest } from "./log-contract/log-contract.ts";
export { transportContract } from "./transport-contract/transport-contract.ts";
export type { TransportContractOptions, TransportUnderTest } from "./transport-contract/transport-contract.ts";
