// Which containers of two states are the same thing. A copy has the identity of what it was copied
// from, so a thing keeps its identity when it is edited, moved or sorted.

const identities = new WeakMap<object, string>();
let given = 0;

/** The identity of a container; undefined when nobody asked for it, and it is no copy. */
export function knownIdentity(container: object): string | undefined {
  return identities.get(container);
}

/** The identity of a container; it gets one when it has none. */
export function identityOf(container: object): string {
  return identities.get(container) ?? identify(container, `#${++given}`);
}

export function identify(container: object, identity: string): string {
  identities.set(container, identity);
  return identity;
}

/** The copy, as the same thing. */
export function copied<T extends object>(copy: T, original: object): T {
  identities.set(copy, identityOf(original));
  return copy;
}

/** The same where only a thing of an earlier state has an identity: what is new gets none. */
export function copiedIfKnown<T extends object>(copy: T, original: object): T {
  return identities.has(original) ? copied(copy, original) : copy;
}
