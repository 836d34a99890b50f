// Time limits for what may never come.

/** Calls `onTimeout` when `limit` milliseconds pass without a reset. */
export function startTimeout(onTimeout: () => void, limit: number): { reset(): void; stop(): void } {
  let timer = setTimeout(onTimeout, limit);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, limit);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Calls `onTimeout` when the response is not there after `limit` milliseconds. */
export async function withTimeout(
  response: Promise<Response>,
  onTimeout: () => void,
  limit: number,
): Promise<Response> {
  const timeout = startTimeout(onTimeout, limit);
  try {
    return await response;
  } finally {
    timeout.stop();
  }
}
