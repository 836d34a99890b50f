// The entry `@opstate/client/threads`: what a client of threads in this process stands on. Under
// the condition `opstate-page`, or by an alias, `page/threads.ts` stands in its place; it has the
// same names. For opstate's own packages.

export { threadsAuthority } from "./connection/threads-authority.ts";
