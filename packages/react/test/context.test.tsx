// What the context adds to the contract: its errors, one connection, and what waits for a thread.

import { createAgentStateContext, useSuspenseAgentState } from "@opstate/react";
import { Component, type ReactNode, StrictMode, Suspense } from "react";
import { render } from "vitest-browser-react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ada, openPage, shelf } from "./support/shelf.ts";

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

test("a provider in StrictMode connects once", async () => {
  const { thread, client, wire } = await openPage();
  const Shelf = createAgentStateContext(shelf);
  function Title() {
    return Shelf.useAgentState((state) => state.title);
  }
  const screen = await render(
    <StrictMode>
      <Shelf.Provider client={client} threadId="test">
        <Title />
        <Title />
      </Shelf.Provider>
    </StrictMode>,
  );
  await thread.dispatch({ type: "rename", title: "Seen" }, { actor: ada });
  await expect.poll(() => screen.container.textContent).toBe("SeenSeen");
  expect(wire).toEqual({ asked: 1, connects: 1, open: 1 });
});

test("suspends until the first confirmed state arrives", async () => {
  const { wired, act, page, find } = await openPage();
  await act({ type: "rename", title: "Confirmed" });
  let go = () => undefined as void;
  find.reach = () => new Promise((resolve) => (go = () => resolve(wired)));
  const titles: string[] = [];
  function Title() {
    const title = useSuspenseAgentState(page, (state) => state.title);
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

test("an error boundary gets a client that was closed before its thread was ready", async () => {
  quiet();
  const { client, page, find } = await openPage();
  find.reach = () => new Promise(() => undefined);
  function Title() {
    return useSuspenseAgentState(page, (state) => state.title);
  }
  const screen = await render(
    <Boundary>
      <Suspense fallback="opening">
        <Title />
      </Suspense>
    </Boundary>,
  );
  client.close();
  await expect.poll(() => screen.container.textContent).toContain("closed");
});
