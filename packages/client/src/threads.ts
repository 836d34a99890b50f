// The entry `@opstate/client/threads`: the authority of a client for threads of this process.
// Under the condition `opstate-page`, or by an alias, `page/threads.ts` replaces it, with the same
// names. For opstate's own packages.

export { threadsAuthority } from "./connection/threads-authority.ts";
