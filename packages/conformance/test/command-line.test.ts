// The program: what it prints, and the code that it ends with.

import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../src/command-line.ts";
import { conformanceServer } from "./support/conformance-server.ts";

function written() {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

async function runWith(...args: readonly string[]) {
  const [stdout, stderr] = [written(), written()];
  const code = await run(args, { stdout: stdout.stream, stderr: stderr.stream });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

async function startServer(): Promise<string> {
  const server = conformanceServer();
  onTestFinished(() => server.close());
  return (await server.listen()).url;
}

describe("the program", () => {
  it("prints a line for each scenario, and ends with 0 when the server is right", async () => {
    const { code, stdout } = await runWith("--url", await startServer(), "--only", "rights:");
    expect(stdout).toMatch(/^ok {6}rights: Without credentials nothing is answered$/m);
    expect(stdout).toMatch(/^3 scenarios, 0 wrong$/m);
    expect(code).toBe(0);
  });

  it("says what is wrong, and ends with 1", async () => {
    const url = await startServer();
    // Rita with the credentials of ada.
    const { code, stdout } = await runWith(
      "--url",
      url,
      "--only",
      "Who may",
      "--as",
      "rita=authorization: Bearer conformance-ada",
    );
    expect(stdout).toMatch(/^WRONG {3}rights: Who may read may not write\n {8}step 1, GET .* must be "rita"$/m);
    expect(code).toBe(1);
  });

  it.each([
    [["--url", "nowhere"], "--url needs the address of a server."],
    [[], "--url needs the address of a server."],
    [["--url", "http://x", "--as", "eve=a: b"], "--as needs <name>="],
    [["--url", "http://x", "--timeout", "soon"], '--timeout needs a number of milliseconds above 0, not "soon".'],
    [["--url", "http://x", "--only", "no such scenario"], 'No scenario has "no such scenario"'],
    [["--fast"], "Unknown option '--fast'"],
  ])("ends with 2 and its usage for %j", async (args, message) => {
    const { code, stderr } = await runWith(...args);
    expect(stderr).toContain(message);
    expect(stderr).toContain("npx @opstate/conformance --url");
    expect(code).toBe(2);
  });

  it("prints its usage", async () => {
    const { code, stdout } = await runWith("--help");
    expect([code, stdout]).toEqual([0, expect.stringContaining("--only <text>")]);
  });
});
