// A source that may be another one later: what a context gives to the components below it.

/** The source as it is now, by a function that Svelte can follow. */
export class Present<Source> {
  readonly #get: () => Source;

  constructor(get: () => Source) {
    this.#get = get;
  }

  get(): Source {
    return this.#get();
  }
}

export function getterOf<Source>(source: Source | Present<Source>): () => Source {
  return source instanceof Present ? () => source.get() : () => source;
}

/** What `make` gives for the present source, once for each. */
export function madeOf<Source extends object, Made>(
  source: Source | Present<Source>,
  make: (source: Source) => Made,
): Present<Made> {
  const known = new WeakMap<Source, { readonly made: Made }>();
  const present = getterOf(source);
  return new Present(() => {
    const now = present();
    const entry = known.get(now) ?? { made: make(now) };
    known.set(now, entry);
    return entry.made;
  });
}
