/**
 * An array of the engine's own, with methods of its own: to code that copies it, it is plain. Apart
 * from its subclass, so that to copy JSON takes no drafts along.
 */
export class OwnArray extends Array<unknown> {}
