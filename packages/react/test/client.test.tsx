// The provider of a client's thread, and the hooks under it.

import { createClient } from "@opstate/client";
import { createAgentStateContext, useSync, useAgentState } from "@opstate/react";
import { memoryLog, openThread } from "@opstate/core";
import { type ReactNode, StrictMode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ada, openShelf, shelf } from "./support/shelf.ts";

async function bench() {
  const { thread, act } = await openShelf();
  const other = await openThread({ definition: shelf, log: memoryLog(), threadId: "other" });
  await other.dispatch(shelf.op.rename({ title: "Other" }), { actor: ada });
  const client = createClient({ threads: [thread, other], actor: ada });
  onTestFinished(() => client.close());
  const Shelf = createAgentStateContext(shelf);
  return { thread, other, act, client, Shelf };
}

const strict = ({ children }: { children: ReactNode }) => <StrictMode>{children}</StrictMode>;

test("binds every hook to the thread of a client", async () => {
  const { thread, act, client, Shelf } = await bench();
  function Panel() {
    const title = Shelf.useAgentState((state) => state.title);
    const dispatch = Shelf.useDispatch();
    const { entries } = Shelf.useHistory();
    const { canUndo, undo } = Shelf.useUndo();
    const { proposals } = Shelf.useProposals();
    const { approve } = Shelf.useThread().proposals;
    const status = Shelf.useSync((sync) => sync.status);
    return (
      <>
        <output>{[title, entries.length, proposals.length, status].join(" ")}</output>
        <button onClick={() => void dispatch({ type: "rename", title: "Mine" })}>Rename</button>
        <button disabled={!canUndo} onClick={() => void undo()}>
          Undo
        </button>
        <button onClick={() => proposals.forEach(({ id, version }) => void approve(id, { proposedAt: version }))}>
          Approve
        </button>
      </>
    );
  }
  const screen = await render(
    <Shelf.Provider client={client} threadId="test">
      <Panel />
    </Shelf.Provider>,
    { wrapper: strict },
  );
  const shown = () => screen.container.querySelector("output")?.textContent;
  await expect.poll(shown).toBe("Shelf 0 0 online");
  await screen.getByRole("button", { name: "Rename" }).click();
  await expect.poll(shown).toBe("Mine 1 0 online");
  await act({ type: "put", id: "a", label: "A" });
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(shown).toBe("Shelf 3 0 online");
  await thread.propose(shelf.op.rename({ title: "Proposed" }), { actor: { kind: "agent", id: "planner" } });
  await expect.poll(shown).toBe("Shelf 4 1 online");
  await screen.getByRole("button", { name: "Approve" }).click();
  await expect.poll(shown).toBe("Proposed 5 0 online");
});

test("components that show a history with the same options share it", async () => {
  const { act, client, Shelf } = await bench();
  for (const id of ["a", "b", "c"]) await act({ type: "put", id, label: id });
  const seen: unknown[] = [];
  function Log() {
    const { entries, older } = Shelf.useHistory({ pageSize: 2 });
    if (entries.length > 0) seen.push(entries);
    return <button onClick={() => void older()}>{entries.length}</button>;
  }
  const screen = await render(
    <Shelf.Provider client={client} threadId="test">
      <Log />
      <Log />
    </Shelf.Provider>,
  );
  await expect.poll(() => screen.container.textContent).toBe("22");
  await screen.getByRole("button").first().click();
  await expect.poll(() => screen.container.textContent).toBe("33");
  expect(new Set(seen).size).toBe(2);
});

test("another threadId in the same component shows that thread, and edits go to it", async () => {
  const { thread, other, client, Shelf } = await bench();
  function Title() {
    const dispatch = Shelf.useDispatch();
    const title = Shelf.useAgentState((state) => state.title);
    return <button onClick={() => void dispatch({ type: "rename", title: `${title}!` })}>{title}</button>;
  }
  const page = (threadId: string) => (
    <Shelf.Provider client={client} threadId={threadId}>
      <Title />
    </Shelf.Provider>
  );
  const screen = await render(page("test"), { wrapper: strict });
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("Shelf!");
  await screen.rerender(page("other"));
  await expect.poll(() => screen.container.textContent).toBe("Other");
  await screen.getByRole("button").click();
  await expect.poll(() => other.getState().title).toBe("Other!");
  expect(thread.getState().title).toBe("Shelf!");
});

test("waits above the provider, and shows the first confirmed state", async () => {
  const { client, Shelf } = await bench();
  const titles: string[] = [];
  function Title() {
    const title = Shelf.useSuspenseAgentState((state) => state.title);
    titles.push(title);
    return title;
  }
  const screen = await render(
    <Suspense fallback="opening">
      <Shelf.Provider client={client} threadId="other">
        <Title />
      </Shelf.Provider>
    </Suspense>,
    { wrapper: strict },
  );
  await expect.poll(() => screen.container.textContent).toBe("Other");
  expect(new Set(titles)).toEqual(new Set(["Other"]));
});

test("hydrates what a server rendered, and goes on from its version", async () => {
  const problems: unknown[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((...said) => void problems.push(said));
  onTestFinished(() => error.mockRestore());
  const { thread, act, client, Shelf } = await bench();
  await act({ type: "rename", title: "Rendered" });
  const initial = { version: thread.version, state: structuredClone(thread.getState()) };
  function Title() {
    const { status } = Shelf.useSync();
    const { canUndo } = Shelf.useUndo();
    return <p>{[Shelf.useAgentState((state) => state.title), status === "online", canUndo].join(" ")}</p>;
  }
  const page = () => (
    <StrictMode>
      <Shelf.Provider client={client} threadId="test" initial={initial}>
        <Title />
      </Shelf.Provider>
    </StrictMode>
  );
  const html = renderToString(page());
  expect(html).toBe("<p>Rendered false false</p>");
  expect(client.thread(shelf, "test").getState().title).toBe("Shelf");
  await act({ type: "rename", title: "Later" });
  const container = document.createElement("div");
  container.innerHTML = html;
  const root = hydrateRoot(container, page(), { onRecoverableError: (problem) => problems.push(problem) });
  onTestFinished(() => root.unmount());
  await expect.poll(() => container.textContent).toBe("Later true false");
  expect(problems).toEqual([]);
});

test("state and sync of one render are of one moment", async () => {
  const { act, client } = await bench();
  const thread = client.thread(shelf, "test");
  const seen: (readonly [number, number])[] = [];
  function Both() {
    const count = useAgentState(thread, (state) => state.count);
    const version = useSync(thread, (sync) => sync.version);
    seen.push([count, version]);
    return <p>{count}</p>;
  }
  const screen = await render(<Both />);
  for (let index = 1; index <= 60; index++) {
    await act({ type: "put", id: `box-${index}`, label: "A" });
    await new Promise<void>((resolve) => setTimeout(resolve));
  }
  await expect.poll(() => screen.container.textContent).toBe("60");
  expect(seen.filter(([count, version]) => count !== version)).toEqual([]);
});

test("who is here, and a thread that is given itself", async () => {
  const { client, Shelf } = await bench();
  function Here() {
    const { participants, show } = Shelf.usePresence();
    const title = Shelf.useAgentState((state) => state.title);
    return <button onClick={() => show({ focus: "/title" })}>{`${title} ${participants.length}`}</button>;
  }
  const screen = await render(
    <Shelf.Provider thread={client.thread(shelf, "test")}>
      <Here />
    </Shelf.Provider>,
  );
  await expect.poll(() => screen.container.textContent).toMatch(/^Shelf \d$/);
});
