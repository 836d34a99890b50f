/**
 * An array of the engine's own, with methods of its own: to code that copies it, it is plain. Apart
 * from its subclass, so that code that copies JSON does not load the drafts.
 */
export class OwnArray extends Array<unknown> {}
