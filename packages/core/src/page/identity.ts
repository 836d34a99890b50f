// Which containers of two states are the same thing. A copy has the identity of what it was copied
// from, so a thing keeps its identity when it is edited, moved or sorted.

/** Shared by all copies of a thing. What an operation created has no name until it is needed. */
interface Identity {
  name?: string;
}

const identities = new WeakMap<object, Identity>();
let given = 0;

/** The name of a container's identity; undefined when it is new, or was never needed. */
export function knownIdentity(container: object): string | undefined {
  return identities.get(container)?.name;
}

/** The name of a container's identity; it gets one when it has none. */
export function identityOf(container: object): string {
  return knownIdentity(container) ?? identify(container, `#${++given}`);
}

/** Names a container, and the copies that were made of it before it had a name. */
export function identify(container: object, name: string): string {
  const identity = identities.get(container);
  if (identity !== undefined && identity.name === undefined) identity.name = name;
  else identities.set(container, { name });
  return name;
}

/** What an operation created: its copies are the same thing, whatever it will be named. */
export function created(container: object): void {
  identities.set(container, {});
}

/** The copy, as the same thing. */
export function copied<T extends object>(copy: T, original: object): T {
  if (!identities.has(original)) identityOf(original);
  identities.set(copy, identities.get(original)!);
  return copy;
}
