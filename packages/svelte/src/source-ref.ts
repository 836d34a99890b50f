// A reference to a source that may change, as a context gives it to the components below.

/** Gives the current source, by a function that Svelte tracks. */
export class SourceRef<Source> {
  readonly #get: () => Source;

  constructor(get: () => Source) {
    this.#get = get;
  }

  get(): Source {
    return this.#get();
  }
}

export function sourceGetter<Source>(source: Source | SourceRef<Source>): () => Source {
  return source instanceof SourceRef ? () => source.get() : () => source;
}

/** The result of `create` for the current source, created once per source. */
export function mapSource<Source extends object, Created>(
  source: Source | SourceRef<Source>,
  create: (source: Source) => Created,
): SourceRef<Created> {
  const cache = new WeakMap<Source, { readonly created: Created }>();
  const getSource = sourceGetter(source);
  return new SourceRef(() => {
    const now = getSource();
    const entry = cache.get(now) ?? { created: create(now) };
    cache.set(now, entry);
    return entry.created;
  });
}
