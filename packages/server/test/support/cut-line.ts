// A line to a server in this process, without a network. It can be cut, and be down.

export interface CutLine {
  readonly fetch: typeof globalThis.fetch;
  /** Breaks every request under way, and the bodies that are still read. */
  cut(): void;
  /** Until it is up again, every request fails. */
  down(): void;
  up(): void;
}

export function cutLine(answer: (request: Request) => Response | Promise<Response>): CutLine {
  let isDown = false;
  let line = new AbortController();
  const cut = (): void => {
    line.abort(new TypeError("network error"));
    line = new AbortController();
  };
  return {
    cut,
    async fetch(input, init) {
      if (isDown) throw new TypeError("Failed to fetch");
      const signal = AbortSignal.any([line.signal, ...(init?.signal ? [init.signal] : [])]);
      const isCut = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
      isCut.catch(() => undefined);
      const response = await Promise.race([answer(new Request(input as string, { ...init, signal })), isCut]);
      if (!response.body) return response;
      return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
    },
    down() {
      isDown = true;
      cut();
    },
    up: () => void (isDown = false),
  };
}
