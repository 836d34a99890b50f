// The entry `@opstate/streams/testing`: the contract of stream stores.

export { streamStoreContract } from "./contract.ts";
export type { StreamStoreContractOptions, StreamStoreUnderTest } from "./contract.ts";
export type { StreamContractCase } from "./expect.ts";
