// A source that tells who listens to it and how often it was read, and that can be made to fail.

import type { Commit, Proposal, Refusal } from "@opstate/core";

interface Source {
  history(...range: never[]): Promise<unknown>;
  proposals(): Promise<readonly Proposal[]>;
  onCommit(listener: (commit: Commit) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
}

export function listened<S extends Source>(inner: S) {
  const seen = { listeners: 0, reads: 0, failing: false };

  function listening<Listener>(listen: (listener: Listener) => () => void) {
    return (listener: Listener) => {
      const end = listen(listener);
      seen.listeners += 1;
      return () => {
        seen.listeners -= 1;
        end();
      };
    };
  }

  function reading<Range extends unknown[], Page>(read: (...range: Range) => Promise<Page>) {
    return async (...range: Range): Promise<Page> => {
      seen.reads += 1;
      if (seen.failing) throw new Error("no network");
      return read(...range);
    };
  }

  return {
    seen,
    source: {
      ...inner,
      history: reading(inner.history) as S["history"],
      proposals: reading(inner.proposals) as S["proposals"],
      onCommit: listening(inner.onCommit) as S["onCommit"],
      onRejection: listening(inner.onRejection) as S["onRejection"],
    },
  };
}
