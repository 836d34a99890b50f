// What the context adds to the contract: its errors, a replica of somebody else's, and Suspense.

import { createReplica, threadTransport } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { createAgentStateContext, useSuspenseAgentState } from "@opstate/react";
import { Component, type ReactNode, StrictMode, Suspense } from "react";
import { render } from "vitest-browser-react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError(error: unknown) {
    return { message: String(error) };
  }
  override render() {
    return this.state.message ?? this.props.children;
  }
}

function quiet() {
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
}

test("a hook without a provider throws an error that names the missing provider", async () => {
  quiet();
  const Shelf = createAgentStateContext(shelf);
  function Lonely() {
    return Shelf.useAgentState((state) => state.title);
  }
  const screen = await render(
    <Boundary>
      <Lonely />
    </Boundary>,
  );
  expect(screen.container.textContent).toContain('no provider of "shelf"');
});

test("accepts a replica that was made elsewhere, and binds every hook to it", async () => {
  const { replica } = await openReplica();
  const Shelf = createAgentStateContext(shelf);
  function Panel() {
    const title = Shelf.useAgentState((state) => state.title);
    const dispatch = Shelf.useDispatch();
    const refused = Shelf.useCan({ type: "label", id: "nothing", label: "x" });
    const status = Shelf.useSync((sync) => sync.status);
    return (
      <button type="button" onClick={() => void dispatch({ type: "rename", title: "Renamed" })}>
        {[title, refused?.reason, status].join(" ")}
      </button>
    );
  }
  const screen = await render(
    <StrictMode>
      <Shelf.Provider replica={replica}>
        <Panel />
      </Shelf.Provider>
    </StrictMode>,
  );
  expect(screen.container.textContent).toBe("Shelf missing online");
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("Renamed missing online");
});

test("a provider in StrictMode connects once", async () => {
  const { thread } = await openShelf();
  const inner = threadTransport(thread, { actor: ada });
  const connect = vi.fn(inner.connect);
  const Shelf = createAgentStateContext(shelf);
  function Title() {
    return Shelf.useAgentState((state) => state.title);
  }
  const screen = await render(
    <StrictMode>
      <Shelf.Provider transport={{ connect }}>
        <Title />
        <Title />
      </Shelf.Provider>
    </StrictMode>,
  );
  await thread.dispatch({ type: "rename", title: "Seen" }, { actor: ada });
  await expect.poll(() => screen.container.textContent).toBe("SeenSeen");
  expect(connect).toHaveBeenCalledTimes(1);
});

test("suspends until the first confirmed state arrives", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "rename", title: "Confirmed" });
  let go = () => undefined as void;
  const inner = threadTransport(thread, { actor: ada });
  const replica = createReplica({
    definition: shelf,
    transport: {
      connect(options) {
        let connection: ReturnType<typeof inner.connect> | undefined;
        go = () => void (connection ??= inner.connect(options));
        return { send: (submission) => connection?.send(submission), close: () => connection?.close() };
      },
    },
  });
  onTestFinished(() => replica.close());
  const titles: string[] = [];
  function Title() {
    const title = useSuspenseAgentState(replica, (state) => state.title);
    titles.push(title);
    return title;
  }
  const screen = await render(
    <Suspense fallback="opening">
      <Title />
    </Suspense>,
  );
  expect(screen.container.textContent).toBe("opening");
  go();
  await expect.poll(() => screen.container.textContent).toBe("Confirmed");
  expect(titles).not.toContain("Shelf");
});

test("an error boundary gets a replica that was closed before it was ready", async () => {
  quiet();
  const replica = createReplica({
    definition: shelf,
    transport: { connect: () => ({ send: () => undefined, close: () => undefined }) },
  });
  function Title() {
    return useSuspenseAgentState(replica, (state) => state.title);
  }
  const screen = await render(
    <Boundary>
      <Suspense fallback="opening">
        <Title />
      </Suspense>
    </Boundary>,
  );
  replica.close();
  await expect.poll(() => screen.container.textContent).toContain("closed");
});

test("history, undo and proposals come from the access beside the replica", async () => {
  const { thread, act } = await openShelf();
  const access = accessThread(thread, ada);
  const Shelf = createAgentStateContext(shelf);
  function Panel() {
    const dispatch = Shelf.useDispatch();
    const { entries } = Shelf.useHistory({ pageSize: 10 });
    const { canUndo, undo } = Shelf.useUndo();
    const { proposals } = Shelf.useProposals();
    const { approve } = Shelf.useAccess();
    return (
      <>
        <output>{[Shelf.useAgentState((state) => state.title), entries.length, proposals.length].join(" ")}</output>
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
    <StrictMode>
      <Shelf.Provider transport={threadTransport(thread, { actor: ada })} access={access} actor={ada}>
        <Panel />
      </Shelf.Provider>
    </StrictMode>,
  );
  const shown = () => screen.container.querySelector("output")?.textContent;
  await screen.getByRole("button", { name: "Rename" }).click();
  await expect.poll(shown).toBe("Mine 1 0");
  await act({ type: "put", id: "a", label: "A" });
  await expect.poll(shown).toBe("Mine 2 0");
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.poll(shown).toBe("Shelf 3 0");
  await expect.element(screen.getByRole("button", { name: "Undo" })).toBeDisabled();
  await thread.propose(shelf.op.rename({ title: "Proposed" }), { actor: { kind: "agent", id: "planner" } });
  await expect.poll(shown).toBe("Shelf 4 1");
  await screen.getByRole("button", { name: "Approve" }).click();
  await expect.poll(shown).toBe("Proposed 5 0");
});

test.for(["access", "actor"] as const)("without %s, the hooks that need it say so", async (missing) => {
  quiet();
  const { thread, replica } = await openReplica();
  const Shelf = createAgentStateContext(shelf);
  function Undo() {
    return String(Shelf.useUndo().canUndo);
  }
  const beside = missing === "access" ? { actor: ada } : { access: accessThread(thread, ada) };
  const screen = await render(
    <Boundary>
      <Shelf.Provider replica={replica} {...beside}>
        <Undo />
      </Shelf.Provider>
    </Boundary>,
  );
  expect(screen.container.textContent).toContain(`needs an ${missing}`);
});
