// CopilotKit's runtime and React client on a board, as their developer has them: the page speaks to
// the runtime, the runtime to the boards as any AG-UI client. The agent has no model, and nothing
// needs a network. What CopilotKit cannot do is asserted as it is, and said in the test's title.
// (Long because it is a list of what works and what does not, each a test.)

import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import type { Program } from "../../tools/program.ts";
import { createProject, type Project } from "../harness/project.ts";
import {
  button,
  calls,
  cards,
  heading,
  inThread,
  items,
  messages,
  onPage,
  openPages,
  type Pages,
  says,
  send,
  set,
  stop,
  talk,
  threadHeading,
  verdicts,
  type Visit,
} from "./pages.ts";

const ENV = { COPILOTKIT_TELEMETRY_DISABLED: "true", DO_NOT_TRACK: "1", NODE_ENV: "production" };

let project: Project;
let runtime: Program;
let pages: Pages;
let api: string;

beforeAll(async () => {
  const ports = { 4310: await freePort(), 4311: await freePort(), 5173: await freePort() };
  project = await createProject({ name: "copilotkit", from: [join(import.meta.dirname, "app")], ports });
  await project.run("vite", ["build"], ENV);
  const boards = project.start("node", ["server/boards.ts"], ENV);
  const preview = project.start("vite", ["preview", "--host", "localhost", "--port", `${ports[5173]}`, "--strictPort"]);
  await Promise.all([boards.printed(/^Serving /m), preview.printed(/Local/), startRuntime()]);
  api = `http://localhost:${ports[4310]}/opstate/threads`;
  pages = await openPages(`http://localhost:${ports[5173]}`);
});
afterAll(async () => {
  await pages?.close();
  await project?.remove();
});

async function startRuntime(): Promise<void> {
  runtime = project.start("node", ["server/runtime.ts"], ENV);
  await runtime.printed(/^Serving the runtime$/m);
}

/** The board of a test. */
let board = "board-0";
const visit = (options: Omit<Visit, "board"> = {}) => pages.visit({ board, ...options });

beforeEach(async () => {
  board = `board-${Number(board.slice(6)) + 1}`;
  await ask("PUT", "", { definition: "board" });
});
afterEach(async () => {
  await pages.leave();
  const faults = pages.faults();
  pages.forget();
  expect(faults).toEqual([]);
});

/** What a program asks of the boards' server, as Ben by default. */
async function ask(method: string, path: string, body?: unknown, user = "ben"): Promise<unknown> {
  const response = await fetch(`${api}/${board}${path}`, {
    method,
    headers: { authorization: `Bearer ${user}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

interface Board {
  readonly title: string;
  readonly isAgreed: boolean;
  readonly cards: readonly { readonly cardId: string; readonly title: string }[];
}

const state = async () => ((await ask("GET", "")) as { readonly state: Board }).state;
const titles = async () => (await state()).cards.map(({ title }) => title);
const benAdds = (title: string) => ask("POST", "/operations", { type: "add", cardId: `B-${title}`, title });

/** The runs of Ada, as the boards' server knows them. */
const runs = async () =>
  ((await ask("GET", "/runs", undefined, "ada")) as readonly { readonly status: string }[]).map(({ status }) => status);

/** Who did what, oldest first. */
async function log(): Promise<readonly string[]> {
  const commits = (await ask("GET", "/history")) as readonly {
    readonly commit: { readonly actor: { readonly id: string }; readonly operation: { readonly type: string } };
  }[];
  return commits.map(({ commit: { actor, operation } }) => `${actor.id}: ${operation.type}`);
}

it("has right types", async () => {
  expect(await project.run("tsc", [])).toBe("");
});

describe("the chat", () => {
  it("shows a message, the tool calls with their results and the answer, and the thread has the change", async () => {
    const page = await visit();
    await talk(page, "add Tea; add Milk; rename Shopping");
    expect(await calls(page, "add").allInnerTexts()).toEqual([
      expect.stringMatching(/^{"cardId":"T-1","title":"Tea"} complete Accepted: board is now at version 1\./),
      expect.stringMatching(/^{"cardId":"T-2","title":"Milk"} complete Accepted: board is now at version 2\./),
    ]);
    expect([await cards(page), await heading(page)]).toEqual([["Tea", "Milk"], "Shopping"]);
    expect([await titles(), (await state()).title]).toEqual([["Tea", "Milk"], "Shopping"]);
    expect(await log()).toEqual(["planner: add", "planner: add", "planner: rename"]);
  });

  it("is each person's own where the runtime's thread is a conversation, and the board is everybody's", async () => {
    const [ada, ben] = await Promise.all([visit(), visit({ user: "ben" })]);
    await send(ada, "add Tea; until Cake; add Bread");
    await onPage(ada, "Tea");
    // The boards' server runs one after the other.
    await send(ben, "add Milk");
    await benAdds("Cake");
    for (const page of [ada, ben]) await says(page, "Ready");
    expect(await titles()).toEqual(["Tea", "Cake", "Bread", "Milk"]);
    expect(await cards(ben)).toEqual(await titles());
    expect(await messages(ben).allInnerTexts()).toEqual(["add Milk"]);
  });

  it("drops a message without a word while another's run is on, where two people have one conversation", async () => {
    const ada = await visit({ conversation: "both" });
    await talk(ada, "add Tea");
    const ben = await visit({ user: "ben", conversation: "both" });
    // The runtime knows threads and no people: Ben reads what Ada wrote.
    await messages(ben).getByText("add Tea", { exact: true }).waitFor();
    await send(ada, "add Milk; until Bread");
    await onPage(ada, "Milk");
    await send(ben, "add Cake");
    await runtime.printed(/Thread already running/);
    await says(ben, "Ready");
    await benAdds("Bread");
    await says(ada, "Ready");
    expect(await titles()).toEqual(["Tea", "Milk", "Bread"]);
  });
});

describe("the thread's state on the page", () => {
  it("has another person's edit during a run at once", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk");
    await onPage(page, "Tea");
    await benAdds("Cake");
    await onPage(page, "Cake");
    await says(page, "Running");
    await benAdds("Milk");
    await says(page, "Ready");
    expect(await cards(page)).toEqual(["Tea", "Cake", "Milk"]);
  });

  it("has an edit between runs only with the next run: CopilotKit hears nothing without one", async () => {
    const page = await visit();
    await talk(page, "add Tea");
    await benAdds("Milk");
    // What is bound to the thread has it, beside CopilotKit's copy.
    await inThread(page, "Milk");
    expect(await cards(page)).toEqual(["Tea"]);
    await talk(page, "say");
    expect(await cards(page)).toEqual(["Tea", "Milk"]);
  });

  it("is not there before the first run", async () => {
    await benAdds("Milk");
    const page = await visit();
    await inThread(page, "Milk");
    expect(await heading(page)).toBe("No title");
  });
});

describe("what the page sets", () => {
  it("is written with the next run as its person's, and what others did meanwhile stays", async () => {
    const page = await visit();
    await talk(page, "add Tea");
    await set(page, "Shopping");
    await set(page, "Bread", "Set a card");
    await benAdds("Milk");
    await talk(page, "say");
    expect(await verdicts(page)).toEqual(["written: $batch"]);
    expect(await log()).toEqual(["planner: add", "ben: add", "ada: $batch"]);
    expect((await titles()).toSorted()).toEqual(["Bread", "Milk", "Tea"]);
    expect([await cards(page), await heading(page)]).toEqual([await titles(), "Shopping"]);
  });

  it("deletes nothing that it leaves out", async () => {
    const page = await visit();
    await talk(page, "add Tea");
    await set(page, "Shopping", "Set nothing but the title");
    expect(await cards(page)).toEqual([]);
    await talk(page, "say");
    expect(await verdicts(page)).toEqual(["written: rename"]);
    expect(await state()).toMatchObject({ title: "Shopping", cards: [{ title: "Tea" }] });
    expect(await cards(page)).toEqual(["Tea"]);
  });

  it("is refused where its person may not do it, and the page has the thread's state again", async () => {
    const page = await visit();
    await talk(page, "add Tea");
    await button(page, "Set agreed").click();
    await page.getByText("Agreed", { exact: true }).waitFor();
    await talk(page, "say");
    expect(await verdicts(page)).toEqual([expect.stringContaining("agree")]);
    await page.getByText("Not agreed", { exact: true }).waitFor();
    expect(await log()).toEqual(["planner: add"]);
  });

  it("is not written before the first run of a conversation, which begins with no state", async () => {
    const page = await visit();
    await set(page, "Shopping");
    await talk(page, "say");
    expect(await verdicts(page)).toEqual([expect.stringMatching(/^unknown_base: /)]);
    expect([(await state()).title, await heading(page)]).toEqual(["Plan", "Plan"]);
  });

  it("is lost with the next change in the middle of a run: the client goes on with its own copy", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk");
    await onPage(page, "Tea");
    await set(page, "Shopping");
    expect(await heading(page)).toBe("Shopping");
    await benAdds("Milk");
    await onPage(page, "Milk");
    await says(page, "Ready");
    expect(await heading(page)).toBe("Plan");
    await talk(page, "say");
    expect([await verdicts(page), (await state()).title]).toEqual([[], "Plan"]);
  });
});

describe("the stop button", () => {
  it("ends the run on the boards' server too, and the thread stays as it is", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk; add Cake");
    await onPage(page, "Tea");
    await stop(page);
    await says(page, "Ready");
    await expect.poll(runs).toEqual(["stopped"]);
    await benAdds("Milk");
    await talk(page, "add Bread");
    expect(await titles()).toEqual(["Tea", "Milk", "Bread"]);
    expect(await cards(page)).toEqual(["Tea", "Milk", "Bread"]);
  });

  it("leaves open which state the page had: what it sets then is not written until after the next run", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk");
    await onPage(page, "Tea");
    await stop(page);
    await says(page, "Ready");
    await set(page, "Shopping");
    await talk(page, "say");
    expect(await verdicts(page)).toEqual([expect.stringMatching(/^undelivered: /)]);
    expect(await heading(page)).toBe("Plan");
    await set(page, "Shopping");
    await talk(page, "say");
    expect((await verdicts(page)).at(-1)).toBe("written: rename");
  });
});

describe("a reload", () => {
  it("in the middle of a run shows the conversation and the run again, which the runtime went on with", async () => {
    const page = await visit();
    await talk(page, "add Bread");
    await send(page, "add Tea; until Milk; add Cake");
    await onPage(page, "Tea");
    await page.reload();
    await onPage(page, "Tea");
    expect(await messages(page).allInnerTexts()).toEqual(["add Bread", "add Tea; until Milk; add Cake"]);
    expect(await runs()).toEqual(["finished", "running"]);
    await benAdds("Milk");
    await onPage(page, "Cake");
    await says(page, "Ready");
    expect([await cards(page), await calls(page, "add").count()]).toEqual([["Bread", "Tea", "Milk", "Cake"], 3]);
    expect(await titles()).toEqual(await cards(page));
  });

  it("keeps the stop button of the run", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk; add Cake");
    await onPage(page, "Tea");
    await page.reload();
    await onPage(page, "Tea");
    await stop(page);
    await expect.poll(runs).toEqual(["stopped"]);
    await says(page, "Ready");
    await benAdds("Milk");
    await talk(page, "add Bread");
    expect(await titles()).toEqual(["Tea", "Milk", "Bread"]);
  });

  it("after a run gives the page the state to set", async () => {
    const page = await visit();
    await talk(page, "add Tea");
    await page.reload();
    await onPage(page, "Tea");
    await says(page, "Ready");
    await set(page, "Shopping");
    await talk(page, "say");
    expect(await verdicts(page)).toEqual(["written: rename"]);
  });

  it("after the runtime's process was lost has no conversation, and the thread has lost nothing", async () => {
    const page = await visit();
    await send(page, "add Tea; until Milk; add Cake");
    await onPage(page, "Tea");
    await runtime.kill();
    await expect.poll(runs).toEqual(["stopped"]);
    await startRuntime();
    await page.reload();
    await says(page, "Ready");
    await inThread(page, "Tea");
    expect(await messages(page).count()).toBe(0);
    await talk(page, "add Bread");
    expect(await titles()).toEqual(["Tea", "Bread"]);
    // The browser may say that the stream was cut.
    pages.forget();
  });
});

describe("an operation that needs approval", () => {
  /** The agent asked, and its run is over. */
  async function asked(text = "add Tea; add Milk; remove Tea"): Promise<Page> {
    const page = await visit();
    await talk(page, text);
    const questions = text.match(/remove/g)?.length ?? 0;
    await items(page, "Questions")
      .nth(questions - 1)
      .waitFor();
    expect(await items(page, "Questions").count()).toBe(questions);
    expect(await titles()).toEqual(["Tea", "Milk"]);
    return page;
  }
  const answered = async (page: Page, text: string) => {
    await page.getByTestId("copilot-assistant-message").getByText(text).waitFor();
    await says(page, "Ready");
    expect(await items(page, "Questions").count()).toBe(0);
    expect(await ask("GET", "/proposals")).toEqual([]);
  };

  it("is asked by useInterrupt, and Yes does it; what the page set meanwhile is written", async () => {
    const page = await asked();
    await set(page, "Shopping");
    await button(page, "Yes").click();
    await answered(page, "It was approved.");
    expect(await cards(page)).toEqual(["Milk"]);
    expect(await log()).toEqual(["planner: add", "planner: add", "planner: $propose", "ada: rename", "ada: $approve"]);
    expect(await heading(page)).toBe("Shopping");
  });

  it.each(["No", "Cancel"])("is declined by %s", async (answer) => {
    const page = await asked();
    await button(page, answer).click();
    await answered(page, "It was declined.");
    expect(await cards(page)).toEqual(["Tea", "Milk"]);
    expect((await log()).at(-1)).toBe("ada: $decline");
  });

  it("is asked for each, and answered when all are", async () => {
    const page = await asked("add Tea; add Milk; remove Tea; remove Milk");
    await button(page, "Yes").first().click();
    await button(page, "No").last().click();
    await answered(page, "It was approved. It was declined.");
    expect(await cards(page)).toEqual(["Milk"]);
  });

  it("is asked again after a reload", async () => {
    const page = await asked();
    await page.reload();
    await button(page, "Yes").click();
    await answered(page, "It was approved.");
    expect(await titles()).toEqual(["Milk"]);
  });

  it("blocks the chat until it is answered there, also when another person decided on the thread", async () => {
    const page = await asked();
    const [proposal] = (await ask("GET", "/proposals")) as readonly { readonly id: string }[];
    await ask("POST", `/proposals/${encodeURIComponent(proposal?.id ?? "")}/approve`, {});
    await items(page, "Proposals").waitFor({ state: "detached" });
    await send(page, "add Bread");
    await expect.poll(pages.faults).toEqual([expect.stringContaining("1 pending interrupt(s) not addressed")]);
    pages.forget();
    expect(await items(page, "Questions").count()).toBe(1);
    // A late answer is no second decision.
    await button(page, "No").click();
    await answered(page, 'The proposal was approved by the user "ben" at version 4.');
    expect(await titles()).toEqual(["Milk"]);
  });
});

describe("predictive state", () => {
  const writes = async (page: Page) => {
    await send(page, "rename Ha|lf when Go|way");
    await calls(page, "rename").getByText('{"title":"Half"} inProgress').waitFor();
  };

  it("is in the chat's tool call and in the thread's preview; CopilotKitProvider ignores PredictState", async () => {
    const page = await visit();
    await writes(page);
    await expect.poll(() => threadHeading(page)).toBe("Half");
    expect([await heading(page), (await state()).title]).toEqual(["Plan", "Plan"]);
    await benAdds("Go");
    await says(page, "Ready");
    expect([await heading(page), await threadHeading(page), (await state()).title]).toEqual(Array(3).fill("Halfway"));
  });

  it("is in CopilotKit's state below its older provider, a piece late, and gone with another's edit", async () => {
    const page = await visit({ older: true });
    await writes(page);
    await expect.poll(() => heading(page)).toBe("Ha");
    await benAdds("Tea");
    await onPage(page, "Tea");
    expect([await heading(page), (await state()).title]).toEqual(["Plan", "Plan"]);
    await benAdds("Go");
    await says(page, "Ready");
    expect([await heading(page), (await state()).title]).toEqual(["Halfway", "Halfway"]);
  });

  it("is not written when its run was stopped", async () => {
    const page = await visit({ older: true });
    await writes(page);
    await expect.poll(() => heading(page)).toBe("Ha");
    await stop(page);
    await says(page, "Ready");
    await talk(page, "say");
    expect([await heading(page), await log()]).toEqual(["Plan", []]);
  });

  // The older provider writes the prediction into the page's state, until the next state event.
  it("is not written as the person's after the thread refused it to the agent", async () => {
    const page = await visit({ older: true });
    await talk(page, "agree");
    await talk(page, "rename Robot");
    await talk(page, "say");
    expect([await heading(page), await log()]).toEqual(["Plan", ["planner: agree"]]);
  });
});
