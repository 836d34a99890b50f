import { createAgentStateContext, createAgentStore, useAgentState } from "@opstate/react";
import { connectDevtools, type DevtoolsExtension } from "@opstate/react/devtools";
import { StrictMode } from "react";
import { render } from "vitest-browser-react";
import { expect, onTestFinished, test } from "vitest";
import { openPage, openShelf, shelf } from "./support/shelf.ts";

/** What the extension keeps: actions with the states after them, as JSON; and its buttons. */
function fakeExtension() {
  const names: string[] = [];
  const errors: string[] = [];
  let log: { action: { type: string; [field: string]: unknown }; state: string }[] = [];
  let tell: ((message: unknown) => void) | undefined;
  const extension: DevtoolsExtension = {
    connect({ name }) {
      names.push(name);
      return {
        init: (state) => void (log = [{ action: { type: "@@INIT" }, state: JSON.stringify(state) }]),
        send: (action, state) =>
          void log.push({ action: JSON.parse(JSON.stringify(action)), state: JSON.stringify(state) }),
        subscribe(listener) {
          tell = listener;
          return () => void (tell = undefined);
        },
        error: (message) => void errors.push(message),
      };
    },
  };
  const press = (payload: object, state?: string) => tell?.({ type: "DISPATCH", payload, state });
  return {
    extension,
    names,
    errors,
    press,
    tell: (message: unknown) => tell?.(message),
    actions: () => log.map(({ action }) => action),
    jump: (actionId: number) => press({ type: "JUMP_TO_ACTION", actionId }, log[actionId]?.state),
    get connected() {
      return tell !== undefined;
    },
  };
}

async function connected() {
  const { thread, act } = await openShelf();
  const devtools = fakeExtension();
  const view = connectDevtools(thread, { name: "shelf", extension: devtools.extension });
  onTestFinished(() => view.disconnect());
  return { thread, act, devtools, view };
}

test("shows operations with versions and actors, and refusals with their reason", async () => {
  const { act, devtools } = await connected();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "a", label: "again" });
  expect(devtools.names).toEqual(["shelf"]);
  expect(devtools.actions()).toMatchObject([
    { type: "@@INIT" },
    {
      type: "put",
      id: expect.any(String),
      operation: { id: "a", label: "A" },
      version: 1,
      actor: { kind: "user", id: "bob" },
    },
    { type: "put (refused)", version: 1, actor: { id: "bob" }, rejection: { reason: "taken" } },
  ]);
});

async function renamedTwice() {
  const opened = await connected();
  const seen: string[] = [];
  opened.view.subscribe((state, previous) => seen.push(`${previous.title} -> ${state.title}`));
  await opened.act({ type: "rename", title: "One" });
  await opened.act({ type: "rename", title: "Two" });
  return { ...opened, seen };
}

test("time travel shows an earlier state, and the source goes on", async () => {
  const { thread, act, devtools, view } = await renamedTwice();
  devtools.jump(1);
  expect([view.getState().title, view.past.getState(), thread.getState().title]).toEqual(["One", true, "Two"]);
  await act({ type: "rename", title: "Three" });
  expect([view.getState().title, thread.version]).toEqual(["One", 3]);
});

test("time travel to the newest action shows the source again", async () => {
  const { thread, act, devtools, view, seen } = await renamedTwice();
  devtools.jump(1);
  await act({ type: "rename", title: "Three" });
  devtools.jump(2);
  devtools.jump(3);
  expect([view.getState(), view.past.getState()]).toEqual([thread.getState(), false]);
  expect(seen).toEqual(["Shelf -> One", "One -> Two", "Two -> One", "One -> Two", "Two -> Three"]);
});

test("a reset forgets the actions and shows the source", async () => {
  const { thread, devtools, view } = await renamedTwice();
  devtools.jump(0);
  expect(view.getState().title).toBe("Shelf");
  devtools.press({ type: "RESET" });
  expect(view.getState().title).toBe("Two");
  expect(devtools.actions()).toEqual([{ type: "@@INIT" }]);
  expect(thread.version).toBe(2);
});

test("nothing that the extension sends changes the source", async () => {
  const { thread, act, devtools, view } = await connected();
  await act({ type: "rename", title: "One" });
  const before = thread.getState();
  devtools.tell({ type: "ACTION", payload: '{"type":"rename","title":"By hand"}' });
  devtools.press({ type: "TOGGLE_ACTION", id: 1 });
  devtools.press({ type: "IMPORT_STATE", nextLiftedState: {} });
  devtools.tell({ type: "START" });
  devtools.tell(undefined);
  expect(thread.getState()).toBe(before);
  expect(view.getState()).toBe(before);
  expect(devtools.errors).toHaveLength(3);
});

test("records nothing while it is paused", async () => {
  const { act, devtools } = await connected();
  devtools.press({ type: "PAUSE_RECORDING", status: true });
  await act({ type: "rename", title: "Unseen" });
  devtools.press({ type: "PAUSE_RECORDING", status: false });
  await act({ type: "rename", title: "Seen" });
  expect(devtools.actions().map(({ type }) => type)).toEqual(["@@INIT", "rename"]);
});

test("shows the source and records nothing after it is disconnected", async () => {
  const { act, devtools, view } = await connected();
  await act({ type: "rename", title: "Seen" });
  devtools.jump(0);
  view.disconnect();
  expect(devtools.connected).toBe(false);
  expect(view.getState().title).toBe("Seen");
  await act({ type: "rename", title: "Later" });
  expect(devtools.actions()).toHaveLength(2);
});

test("an agent store of a view shows what is jumped to, and cannot be set", async () => {
  const { page } = await openPage();
  const devtools = fakeExtension();
  const view = connectDevtools(page, { name: "shelf", extension: devtools.extension });
  onTestFinished(() => view.disconnect());
  const store = createAgentStore(view);
  function Title() {
    return <h1>{useAgentState(store, (state) => state.title)}</h1>;
  }
  const screen = await render(<Title />);
  expect(await page.dispatch(shelf.op.rename({ title: "Books" }))).toMatchObject({ accepted: true });
  await expect.poll(() => screen.container.textContent).toBe("Books");
  devtools.jump(0);
  await expect.poll(() => screen.container.textContent).toBe("Shelf");
  expect(page.getState().title).toBe("Books");
  expect(() => store.setState({ title: "By hand" })).toThrow(/dispatch/);
});

test("a provider of a view shows what is jumped to in its components, while edits go on", async () => {
  const { page, thread, act } = await openPage();
  const devtools = fakeExtension();
  const view = connectDevtools(page, { name: "shelf", extension: devtools.extension });
  onTestFinished(() => view.disconnect());
  const Shelf = createAgentStateContext(shelf);
  function Panel() {
    const title = Shelf.useAgentState((state) => state.title);
    const refused = Shelf.useCan({ type: "put", id: "a", label: "A" });
    const { version } = Shelf.useSync();
    const { canUndo } = Shelf.useUndo();
    const { entries } = Shelf.useHistory();
    const dispatch = Shelf.useDispatch();
    const isPast = useAgentState(view.past);
    return (
      <>
        <output>
          {[title, refused?.reason ?? "free", version, canUndo, entries.length, isPast ? "past" : "now"].join(" ")}
        </output>
        <button onClick={() => void dispatch({ type: "rename", title: "Mine" })}>Rename</button>
      </>
    );
  }
  const screen = await render(
    <Shelf.Provider thread={view}>
      <Panel />
    </Shelf.Provider>,
    { wrapper: StrictMode },
  );
  const shown = () => screen.container.querySelector("output")?.textContent;
  // What came before the connection is no action.
  await expect.poll(() => page.sync.getState().status).toBe("online");
  await act({ type: "put", id: "a", label: "A" });
  await expect.poll(shown).toBe("Shelf taken 1 false 1 now");
  devtools.jump(0);
  await expect.poll(shown).toBe("Shelf free 1 false 1 past");
  await screen.getByRole("button").click();
  await expect.poll(shown).toBe("Shelf free 2 true 2 past");
  expect(thread.getState().title).toBe("Mine");
  devtools.jump(2);
  await expect.poll(shown).toBe("Mine taken 2 true 2 now");
});

test("is the source itself when there is no extension", async () => {
  const { thread, act } = await openShelf();
  const view = connectDevtools(thread, { name: "shelf" });
  await act({ type: "rename", title: "One" });
  expect(view.getState()).toBe(thread.getState());
  expect(view.getInitialState()).toBe(thread.getInitialState());
  expect(view.past.getState()).toBe(false);
  view.disconnect();
});
