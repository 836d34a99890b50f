// What is to happen in a simulated world, by tab and by where it comes from. Tasks of one source
// are taken in order; those of two sources in any order, as in a browser.

interface Task {
  readonly run: () => void;
}

export class Tasks {
  /** By tab, then by source. */
  readonly #queues = new Map<string, Map<string, Task[]>>();

  add(tab: string, source: string, run: () => void): void {
    const sources = this.#queues.get(tab) ?? new Map<string, Task[]>();
    this.#queues.set(tab, sources);
    const queue = sources.get(source) ?? [];
    sources.set(source, queue);
    queue.push({ run });
  }

  /** The tabs that have something to do. */
  tabs(): readonly string[] {
    return [...this.#queues].filter(([, sources]) => sources.size > 0).map(([tab]) => tab);
  }

  sources(tab: string): readonly string[] {
    return [...(this.#queues.get(tab)?.keys() ?? [])];
  }

  /** Takes the next task of one source. */
  take(tab: string, source: string): void {
    this.#remove(tab, source, 0)?.run();
  }

  /** A task that never happens. */
  lose(tab: string, source: string): void {
    this.#remove(tab, source, 0);
  }

  /** A task that happens once more, at the end. */
  repeat(tab: string, source: string): void {
    const first = this.#queues.get(tab)?.get(source)?.[0];
    if (first !== undefined) this.#queues.get(tab)?.get(source)?.push(first);
  }

  drop(tab: string, source?: string): void {
    if (source === undefined) this.#queues.delete(tab);
    else this.#queues.get(tab)?.delete(source);
  }

  #remove(tab: string, source: string, at: number): Task | undefined {
    const queue = this.#queues.get(tab)?.get(source);
    const [task] = queue?.splice(at, 1) ?? [];
    if (queue?.length === 0) this.#queues.get(tab)?.delete(source);
    return task;
  }
}
