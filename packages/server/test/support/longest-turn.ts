// How long the process was busy without a break, in CPU time of its own thread: a busy neighbour on
// the machine does not count.

/** Milliseconds of the longest turn of the event loop while something is done. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
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
  await work();
  isOver = true;
  // The turn that ended with it.
  return Math.max(longest, threadTime() - before);
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
