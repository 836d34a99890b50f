// A page that a server rendered: hydrated from its snapshot without a mismatch, connected from the
// snapshot's version.

import { threadTransport, type Transport } from "@opstate/core";
import { createAgentStateContext } from "@opstate/react";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { ada, openShelf, shelf } from "./shelf.ts";

test("hydrates from a snapshot without a mismatch and connects from its version, with every hook", async () => {
  const problems: unknown[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((...said) => void problems.push(said));
  onTestFinished(() => error.mockRestore());
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  const inner = threadTransport(thread, { actor: ada });
  const connects: unknown[] = [];
  const transport: Transport = {
    connect(options) {
      connects.push(options.after);
      return inner.connect(options);
    },
  };
  const Shelf = createAgentStateContext(shelf);
  function Page() {
    const labels = Shelf.useAgentState((state) => state.boxes.map((box) => box.label));
    const refused = Shelf.useCan({ type: "put", id: "b", label: "B" });
    const { version } = Shelf.useSync();
    return <p>{[labels.join(""), refused?.reason ?? "free", version].join(" ")}</p>;
  }
  const initial = {
    version: thread.version,
    state: structuredClone(thread.getState()),
    incarnation: thread.incarnation,
  };
  const page = () => (
    <StrictMode>
      <Shelf.Provider transport={transport} initial={initial}>
        <Page />
      </Shelf.Provider>
    </StrictMode>
  );
  const html = renderToString(page());
  expect(html).toBe("<p>A free 1</p>");
  expect(connects).toEqual([]);
  // Others go on while the page is on its way.
  await act({ type: "put", id: "b", label: "B" });
  const container = document.createElement("div");
  container.innerHTML = html;
  const served = container.firstChild;
  const root = hydrateRoot(container, page(), { onRecoverableError: (problem) => problems.push(problem) });
  onTestFinished(() => root.unmount());
  await expect.poll(() => container.textContent).toBe("AB taken 2");
  expect(container.firstChild).toBe(served);
  expect(connects).toEqual([1]);
  expect(problems).toEqual([]);
});
