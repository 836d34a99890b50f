// Mastra in a process of its own, from the packed packages. The model of `app/player.ts` asks here
// what to say, and what a person answers.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { agentHeaders, type Host } from "../../docs/test/one-script/hosts/host.ts";
import { processEnded, type Script } from "../../docs/test/one-script/script.ts";
import { ADA } from "../../packages/agent/test/support/server.ts";

type Message =
  | { readonly ready: true }
  | { readonly next: { readonly heard: readonly (readonly [callId: string, text: string])[]; readonly shown: string } }
  | { readonly answer: object }
  | { readonly over: readonly unknown[] };

export interface MastraHost extends Host {
  /** What the model was shown beside the conversation, call by call. */
  readonly shown: string[];
  close(): Promise<void>;
}

/** `folder`: where the application is installed. One process plays until a script ends it. */
export function mastraHost(folder: string): MastraHost {
  const shown: string[] = [];
  let player: Promise<Player> | undefined;
  const end = async () => {
    await (await player)?.kill();
    player = undefined;
  };
  return {
    name: "Mastra",
    asks: true,
    hasKeys: true,
    shown,
    async play(script, place) {
      const { url, threadId } = place;
      const at = { url, threadId, token: agentHeaders(place).authorization, approver: ADA.authorization };
      const history: unknown[] = [{ role: "user", content: "Work" }];
      for (let run = 1; !script.isOver;) {
        player ??= startPlayer(folder);
        try {
          const said = await (await player).run({ ...at, runId: `run-${run}`, history }, script, shown);
          history.push(...said, { role: "user", content: "Go on" });
          run++;
        } catch (error) {
          await end();
          processEnded(error);
        }
      }
    },
    close: end,
  };
}

type Player = Awaited<ReturnType<typeof startPlayer>>;

async function startPlayer(folder: string) {
  const child = spawn("node", ["player.ts"], { cwd: folder, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const received = async (): Promise<Message> => {
    const ended = exited.then(([code]) => {
      throw new Error(`Mastra's process has ended with ${code}.`);
    });
    const [message] = (await Promise.race([once(child, "message"), ended])) as [Message];
    return message;
  };
  await received();
  return {
    /** Plays one run. Gives the messages of the agent. */
    async run(run: object, script: Script, shown: string[]): Promise<readonly unknown[]> {
      child.send({ run });
      for (;;) {
        const message = await received();
        if ("over" in message) return message.over;
        if ("next" in message) {
          for (const [callId, text] of message.next.heard) script.heard(callId, text);
          shown.push(message.next.shown);
          child.send({ answer: await script.next() });
        } else if ("answer" in message) {
          const { yes, message: reason } = await script.answer();
          child.send({ answer: { approved: yes, ...(reason !== undefined && { reason }) } });
        }
      }
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
