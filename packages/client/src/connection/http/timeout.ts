// Time limits for what may never come.

/** Calls `onTimeout` when `limit` milliseconds pass without a reset. */
export function startTimeout(onTimeout: (error: Error) => void, limit: number): { reset(): void; stop(): void } {
  const end = () => onTimeout(new Error(`The server was silent for ${limit / 1_000} s.`));
  let timer = setTimeout(end, limit);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(end, limit);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Calls `onTimeout` when the response is not there after `limit` milliseconds. */
export async function withTimeout(
  response: Promise<Response>,
  onTimeout: (error: Error) => void,
  limit: number,
): Promise<Response> {
  const timeout = startTimeout(onTimeout, limit);
  try {
    return await response;
  } finally {
    timeout.stop();
  }
}
