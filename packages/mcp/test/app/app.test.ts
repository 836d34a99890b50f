// The view of a thread inside a chat client: the official bridge of MCP Apps, in a real browser. It
// runs in the long form.

import { describe, expect, it } from "vitest";
import { isLong } from "../../../../tools/runs.ts";
import { ada, board } from "../support/board.ts";
import { openHost } from "../support/browser-host.ts";
import { call, CLAUDE, connect, start } from "../support/mcp.ts";

async function launch(token = CLAUDE) {
  const page = (threadId: string) => `https://board.example.com/${threadId}`;
  const { url, server } = await start({ endpoint: { views: { page } } });
  const thread = await server.thread("launch", board);
  const host = await openHost(url);
  const model = await connect(url, token);
  const show = () => host.show(token, "opstate_view_board", { threadId: "launch" });
  await show();
  return { host, model, show, thread };
}

describe.runIf(isLong())("a view in a chat client", () => {
  it("changes the thread, and the model's next call says so", async () => {
    const { host, model, thread } = await launch();
    const form = host.view.locator("form", { hasText: "add" });
    await form.getByLabel("id").fill("T-1");
    await form.getByLabel("title").fill("Invoices");
    await form.getByRole("button").click();
    await host.view.getByText("Accepted: board is now at version 1.").waitFor();
    const { data } = await call(model, "board_add", { id: "T-2", title: "Taxes" });
    expect(data).toMatchObject({ status: "accepted", version: 2 });
    expect(data.changesByOthers).toContain('agent "claude/view": "Add T-1: Invoices"');
    expect(thread.getState().columns[0]?.cards.map(({ id }) => id)).toEqual(["T-1", "T-2"]);
  });

  it("shows what is there: after others' changes, a reload and another call", async () => {
    const { host, model, show, thread } = await launch();
    await thread.dispatch(board.op.add({ id: "T-1", title: "Invoices" }), { actor: ada });
    await host.view.getByText("user ada: Add T-1: Invoices").waitFor();
    await host.reload();
    await host.view.locator("code", { hasText: "Invoices" }).waitFor();
    await call(model, "board_rename", { index: 0, title: "Bills" });
    await show();
    await host.view.locator("code", { hasText: "Bills" }).waitFor();
  });

  it("cannot approve what the model proposed, whatever it sends, and links to the page that can", async () => {
    const { host, model, thread } = await launch("agent.claude.read,write,undo,approve");
    const { data } = await call(model, "board_clear");
    expect(data.status).toBe("proposed");
    await host.view.locator("#proposals", { hasText: /agent claude: .*Remove all cards/ }).waitFor();
    const { proposal } = data;
    const about = { threadId: "launch", proposal };
    expect(await host.callFromView("opstate_approve", about)).toMatchObject({ error: {} });
    for (const type of ["$approve", "$decline", "clear"]) {
      const operation = { type, proposal, id: proposal };
      const { result } = await host.callFromView("opstate_act", { threadId: "launch", operation });
      expect(result?.structuredContent?.["status"]).not.toBe("accepted");
    }
    expect((await thread.proposal(proposal))?.status).toBe("open");
    await host.view.getByRole("button", { name: "Decide on the page" }).click();
    await expect.poll(() => host.links()).toEqual(["https://board.example.com/launch"]);
  });
});
