// How long the event loop was busy without a break, in CPU time of its own thread: what a busy
// neighbour on the machine takes is not counted.

export interface TurnMeter {
  /** Milliseconds of the longest turn since the last call. */
  take(): number;
  stop(): void;
}

/** From now on, once for each turn of the loop. */
export function meterTurns(): TurnMeter {
  let longest = 0;
  let isOver = false;
  let before = threadTime();
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    take() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop: () => void (isOver = true),
  };
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
