// Which containers of two states are the same thing. A copy has the identity of what it was copied
// from, so a thing keeps its identity when it is edited, moved or sorted.

/** "" is that of what an operation created and nobody named yet. */
const identities = new WeakMap<object, string>();
let given = 0;

/** The identity of a container; undefined when it is new, or nobody asked for it. */
export function knownIdentity(container: object): string | undefined {
  return identities.get(container) || undefined;
}

/** The identity of a container; it gets one when it has none. */
export function identityOf(container: object): string {
  return knownIdentity(container) ?? identify(container, `#${++given}`);
}

export function identify(container: object, identity: string): string {
  identities.set(container, identity);
  return identity;
}

/** The copy, as the same thing. */
export function copied<T extends object>(copy: T, original: object): T {
  identify(copy, identities.get(original) ?? identityOf(original));
  return copy;
}
