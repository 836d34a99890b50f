// Finds a free port, for a server that a test may stop and start again on the same port.
//
// The system gives its own choice of ports, from 32,768 on, to outgoing connections too: between a
// probe and the start of a server another program may have one. So the probe draws below them.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 100;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`Of ${TRIES} ports from ${FIRST} to ${LAST}, none is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
