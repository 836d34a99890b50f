// Which node owns a thread: the port of a log that several server processes share.
//
//   nodes    node, address, lease ── renewed by the node, one row for all that it owns
//   owners   thread, node, epoch  ── counts while the node's lease runs
//
// Invariants:
// - One clock decides: the database's.
// - A thread's epoch only grows, by one with each owner. Once a claim is stored, no append of an
//   older epoch is (`AppendHead.epoch`).
// - A lease says who should write. The epoch and the version decide who may.

/** A server process that shares the log. */
export interface LogNode {
  /** Drawn when the process starts, so that it names this start alone. */
  readonly id: string;
  /** Where other nodes reach it, with its base path. */
  readonly address: string;
  /** It is given no more threads. */
  readonly isDraining: boolean;
}

export interface LiveNode extends LogNode {
  /** Milliseconds that are left of its lease. */
  readonly left: number;
}

export interface Owner {
  readonly node: string;
  readonly address: string;
  readonly epoch: number;
}

/** One thread by its id, in one incarnation. */
export interface OwnedThread {
  readonly threadId: string;
  readonly incarnation: string;
}

export interface Ownership {
  /**
   * Begins or renews a node's lease, and so that on each thread it owns. `now`: the database's
   * time, in milliseconds. `nodes`: those whose lease runs, itself included.
   */
  renew(node: LogNode, lease: number): Promise<{ readonly now: number; readonly nodes: readonly LiveNode[] }>;
  /** Ends its lease: all that it owns is free. */
  leave(node: string): Promise<void>;
  /** Undefined: it has no owner, or the lease of its owner is over. */
  ownerOf(thread: OwnedThread): Promise<Owner | undefined>;
  /**
   * Gives a thread that is free, or that `from` owns, to a node, in a new epoch. Returns who owns
   * it then; undefined when there is no such thread, or the node's lease is over.
   */
  assign(thread: OwnedThread, to: string, from?: string): Promise<Owner | undefined>;
  /**
   * Hands over what a node owns: `preferred` gives the node for a thread by the id of its root, or
   * undefined for what stays. Resolves to how many were handed over.
   */
  handOver(node: string, preferred: (rootId: string) => string | undefined): Promise<number>;
}
