// The script of every host through Mastra: the logs of the twenty scenarios are those of HTTP.

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { http } from "../../docs/test/one-script/hosts/http.ts";
import { plainWords, play } from "../../docs/test/one-script/play.ts";
import { scenarios } from "../../docs/test/one-script/scenarios.ts";
import { createProject, type Project } from "../harness/project.ts";
import { type MastraHost, mastraHost } from "./host.ts";

const script = join(import.meta.dirname, "../../docs/test/one-script");

let project: Project;
let host: MastraHost;
beforeAll(async () => {
  project = await createProject({ name: "mastra", from: [join(import.meta.dirname, "app")] });
  copyFileSync(join(script, "board.ts"), join(project.folder, "board.ts"));
  host = mastraHost(project.folder);
});
afterAll(async () => {
  await host?.close();
  await project?.remove();
});

describe.each(scenarios)("$title", (scenario) => {
  it("has the log of a program over HTTP, and its model reads the same words", async () => {
    const [one, other] = await Promise.all([play(http, scenario), play(host, scenario)]);
    expect(other.state).toEqual(one.state);
    expect(other.log).toEqual(one.log);
    const calls = scenario.steps.flatMap((step) => ("says" in step ? step.says : []));
    expect(new Set(Object.keys(other.words))).toEqual(new Set(calls.map(({ id }) => id)));
    for (const { id, name } of calls)
      // A program over HTTP puts no questions.
      if (name !== "clear")
        expect([id, plainWords(other.words[id], host)]).toEqual([id, plainWords(one.words[id], http)]);
    // The state is shown with every call of the model.
    for (const text of host.shown.splice(0)) expect(text).toContain("<board version=");
  });
});
