// "Rights": its server, called as the guide calls it, says what the guide says; a stream ends when
// `setRole` removes the right.

import { join } from "node:path";
import type { Server } from "@opstate/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const name = "rights";
const folder = writeGuide(name);

describe("the guide", () => {
  it("installs what its code imports", () => {
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)]));
  });

  it("prints what it says", async () => {
    const program = startProgram(folder, "seen.ts");
    expect([await program.ended, program.output()]).toEqual([0, guideFiles(name)["seen.txt"]]);
  });

  it("ends what is open when a role is removed", async () => {
    const { server, sessions, roles, setRole }: Parts = await import(join(folder, "server.ts"));
    onTestFinished(() => server.close());
    sessions.set("s", { kind: "user", id: "ada", expiresAt: new Date(Date.now() + 3_600_000) });
    roles.set("t ada", "owner");
    const request = (path: string, init: RequestInit = {}) =>
      server.fetch(
        new Request(`http://x${path}`, {
          ...init,
          headers: { authorization: "s", "content-type": "application/json" },
        }),
      );
    await request("/threads/t", { method: "PUT", body: JSON.stringify({ definition: "list" }) });
    const { body } = await request("/threads/t/events");
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let isAsked = false; ;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      text += chunk.value;
      if (isAsked || !text.includes('"type":"snapshot"')) continue;
      isAsked = true;
      await setRole("t", "ada", undefined);
    }
    expect(text).toContain('"code":"not_allowed"');
  });
});

interface Parts {
  readonly server: Server;
  readonly sessions: Map<string, { readonly kind: string; readonly id: string; readonly expiresAt: Date }>;
  readonly roles: Map<string, string>;
  setRole(threadId: string, id: string, role: string | undefined): Promise<void>;
}
