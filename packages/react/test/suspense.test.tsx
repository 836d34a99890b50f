// A boundary above the provider, of which React forgets everything while it waits; renders that are
// thrown away; servers.

import { defined } from "@opstate/core";
import { createAgentStateContext, useSuspenseAgentState } from "@opstate/react";
import { Component, type ReactNode, StrictMode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToReadableStream, renderToString } from "react-dom/server";
import { render } from "vitest-browser-react";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPage, shelf } from "./support/shelf.ts";

/** A thread that answers later, as over a network, and who connected to it when. */
async function bench() {
  const { thread, wired, act, client, wire: connections, find } = await openPage();
  await act({ type: "rename", title: "Confirmed" });
  const wire = Object.assign(connections, { rendering: false, whileRendering: 0, isMissing: false });
  find.reach = () => {
    if (wire.rendering) wire.whileRendering += 1;
    return new Promise((resolve) => setTimeout(() => resolve(wire.isMissing ? undefined : wired)));
  };
  const Shelf = createAgentStateContext(shelf);
  function Title() {
    wire.rendering = true;
    try {
      return <h1>{useSuspenseAgentState(Shelf.useThread(), (state) => state.title)}</h1>;
    } finally {
      wire.rendering = false;
    }
  }
  function Page({ initial }: { initial?: { version: number; state: ReturnType<typeof thread.getState> } }) {
    return (
      <Shelf.Provider client={client} threadId="test" {...defined({ initial })}>
        <Title />
      </Shelf.Provider>
    );
  }
  const initial = { version: thread.version, state: structuredClone(thread.getState()) };
  return { wire, act, Page, initial };
}

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError(error: Error) {
    return { message: error.message };
  }
  override render() {
    return this.state.message ?? this.props.children;
  }
}

function quiet(): unknown[] {
  const said: unknown[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => {
    // On a real page the two have a process each.
    if (!String(words[0]).startsWith("Detected multiple renderers")) said.push(words);
  });
  onTestFinished(() => spy.mockRestore());
  return said;
}

test("connects once, and not while rendering", async () => {
  const said = quiet();
  const { wire, act, Page } = await bench();
  const screen = await render(
    <Suspense fallback="opening">
      <Page />
    </Suspense>,
    { wrapper: StrictMode },
  );
  await expect.poll(() => screen.container.textContent).toBe("Confirmed");
  await act({ type: "rename", title: "Live" });
  await expect.poll(() => screen.container.textContent).toBe("Live");
  expect(wire).toMatchObject({ asked: 1, open: 1, whileRendering: 0 });
  await screen.unmount();
  await expect.poll(() => wire.open).toBe(0);
  expect(said).toEqual([]);
});

test("an error boundary gets the refusal of the authority, and nothing connects again", async () => {
  quiet();
  const { wire, Page } = await bench();
  wire.isMissing = true;
  const page = () => (
    <Boundary>
      <Suspense fallback="opening">
        <Page />
      </Suspense>
    </Boundary>
  );
  const screen = await render(page(), { wrapper: StrictMode });
  await expect.poll(() => screen.container.textContent).toBe('There is no thread "test" here.');
  await screen.unmount();
  const again = await render(page(), { wrapper: StrictMode });
  await expect.poll(() => again.container.textContent).toBe('There is no thread "test" here.');
  expect(wire).toMatchObject({ asked: 1, open: 0 });
});

test("a page that is unmounted before the first state keeps no connection", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { wire, Page } = await bench();
  const container = document.createElement("div");
  const { createRoot } = await import("react-dom/client");
  const root = createRoot(container);
  root.render(
    <Suspense fallback="opening">
      <Page />
    </Suspense>,
  );
  await expect.poll(() => wire.asked).toBe(1);
  root.unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(wire).toMatchObject({ asked: 1, open: 0 });
});

test("a render that React discards does not connect", async () => {
  quiet();
  const { wire, Page, initial } = await bench();
  function Broken(): ReactNode {
    throw new Error("Broken");
  }
  const screen = await render(
    <Boundary>
      <Page initial={initial} />
      <Broken />
    </Boundary>,
    { wrapper: StrictMode },
  );
  expect(screen.container.textContent).toBe("Broken");
  expect(wire.asked).toBe(0);
});

test("without a snapshot, a server renders the fallback and does not connect, and the browser hydrates it", async () => {
  const said = quiet();
  const { wire, Page } = await bench();
  const page = (
    <Suspense fallback={<p>opening</p>}>
      <Page />
    </Suspense>
  );
  const errors: unknown[] = [];
  const stream = await renderToReadableStream(page, { onError: (error) => void errors.push(error) });
  const html = await new Response(stream).text();
  expect(html).toContain("<p>opening</p>");
  expect(errors).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("give the provider `initial`"),
      // By which Next reports no error.
      digest: "BAILOUT_TO_CLIENT_SIDE_RENDERING",
    }),
  ]);
  expect(wire.asked).toBe(0);
  const container = document.createElement("div");
  container.innerHTML = html;
  const root = hydrateRoot(container, page, { onRecoverableError: () => undefined });
  onTestFinished(() => root.unmount());
  await expect.poll(() => container.textContent).toBe("Confirmed");
  expect(wire.asked).toBe(1);
  expect(said).toEqual([]);
});

test("with a snapshot, a server renders the state, and the browser hydrates it at once", async () => {
  const said = quiet();
  const { wire, act, Page, initial } = await bench();
  const page = (
    <StrictMode>
      <Suspense fallback={<p>opening</p>}>
        <Page initial={initial} />
      </Suspense>
    </StrictMode>
  );
  const stream = await renderToReadableStream(page);
  const html = await new Response(stream).text();
  expect(html).toContain("<h1>Confirmed</h1>");
  expect(wire.asked).toBe(0);
  const container = document.createElement("div");
  container.innerHTML = html;
  const heading = container.querySelector("h1");
  const root = hydrateRoot(container, page, { onRecoverableError: (error) => void said.push(error) });
  onTestFinished(() => root.unmount());
  await expect.poll(() => wire.open).toBe(1);
  await act({ type: "rename", title: "Live" });
  await expect.poll(() => container.textContent).toBe("Live");
  expect(container.querySelector("h1")).toBe(heading);
  expect(wire).toMatchObject({ asked: 1, whileRendering: 0 });
  expect(said).toEqual([]);
});

test("renderToString does the same", async () => {
  quiet();
  const { wire, Page, initial } = await bench();
  const page = (given: Partial<Parameters<typeof Page>[0]>) => (
    <Suspense fallback={<p>opening</p>}>
      <Page {...given} />
    </Suspense>
  );
  expect(renderToString(page({}))).toContain("<p>opening</p>");
  expect(renderToString(page({ initial }))).toContain("<h1>Confirmed</h1>");
  expect(wire.asked).toBe(0);
});

test("two requests to a server share nothing, although they have the same client", async () => {
  const { Page, initial } = await bench();
  const theirs = { version: 9, state: { ...initial.state, title: "Theirs" } };
  expect(renderToString(<Page initial={theirs} />)).toContain("Theirs");
  expect(renderToString(<Page initial={initial} />)).toContain("Confirmed");
});
