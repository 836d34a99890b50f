// A program in Python with its own client, in a process of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { pythonPath } from "../../../../tools/python.mjs";
import { processEnded, type Call } from "../script.ts";
import { agentHeaders, type Host, type Place } from "./host.ts";

const here = import.meta.dirname;
const sources = join(here, "../../../../clients/python/src");

export const python: Host = {
  name: "Python",
  asks: false,
  // The program chooses the ids of its calls.
  hasKeys: false,
  namesCreated: false,
  async play(script, place) {
    let player = startPlayer(place);
    for (let run = 1; !script.isOver; run++) {
      for (;;) {
        await player.look();
        let said: readonly Call[] | string;
        try {
          said = await script.next();
        } catch (error) {
          processEnded(error);
          player.kill();
          player = startPlayer(place);
          continue;
        }
        if (typeof said === "string") break;
        for (const call of said) script.heard(call.id, await player.call(call, `run-${run}`));
      }
    }
  },
};

function startPlayer(place: Place) {
  const command = pythonPath();
  if (command === undefined) throw new Error("There is no Python 3.11 or newer: node tools/python.mjs says more.");
  const env = { ...process.env, PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(
    command,
    [join(here, "player.py"), place.url, place.threadId, agentHeaders(place).authorization],
    {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout });
  const answer = async (line: unknown): Promise<string> => {
    const answered = once(lines, "line");
    child.stdin.write(`${JSON.stringify(line)}\n`);
    const ended = once(lines, "close").then(() => {
      throw new Error("The program in Python has ended.");
    });
    const [text] = (await Promise.race([answered, ended])) as [string];
    return (JSON.parse(text) as { readonly text: string }).text;
  };
  return {
    /** The model is shown the state. */
    look: () => answer(null),
    call: ({ id, name, input }: Call, run: string) => answer({ id, name, input, run }),
    kill: () => void child.kill(),
  };
}
