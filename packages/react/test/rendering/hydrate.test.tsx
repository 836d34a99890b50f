// A page that a server rendered: hydrated from its snapshot without a mismatch, connected from the
// snapshot's version.

import { createAgentStateContext } from "@opstate/react";
import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPage, shelf } from "../support/shelf.ts";

test("hydrates from a snapshot without a mismatch and connects once, with every hook", async () => {
  const problems: unknown[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((...said) => void problems.push(said));
  onTestFinished(() => error.mockRestore());
  const { thread, act, client, wire } = await openPage();
  await act({ type: "put", id: "a", label: "A" });
  const Shelf = createAgentStateContext(shelf);
  function Page() {
    const labels = Shelf.useAgentState((state) => state.boxes.map((box) => box.label));
    const refused = Shelf.useCan({ type: "put", id: "b", label: "B" });
    const { version } = Shelf.useSync();
    const { entries } = Shelf.useHistory();
    const { canUndo } = Shelf.useUndo();
    const { proposals } = Shelf.useProposals();
    const { participants } = Shelf.usePresence();
    const parts = [entries.length, canUndo, proposals.length, participants.length];
    return <p>{[labels.join(""), refused?.reason ?? "free", version, ...parts].join(" ")}</p>;
  }
  const initial = {
    version: thread.version,
    state: structuredClone(thread.getState()),
    incarnation: thread.incarnation,
  };
  const page = () => (
    <StrictMode>
      <Shelf.Provider client={client} threadId="test" initial={initial}>
        <Page />
      </Shelf.Provider>
    </StrictMode>
  );
  const html = renderToString(page());
  expect(html).toBe("<p>A free 1 0 false 0 0</p>");
  expect(wire.asked).toBe(0);
  // Others go on while the page is on its way.
  await act({ type: "put", id: "b", label: "B" });
  const container = document.createElement("div");
  container.innerHTML = html;
  const served = container.firstChild;
  const root = hydrateRoot(container, page(), { onRecoverableError: (problem) => problems.push(problem) });
  onTestFinished(() => root.unmount());
  await expect.poll(() => container.textContent).toBe("AB taken 2 2 false 0 0");
  expect(container.firstChild).toBe(served);
  expect(wire.connects).toBe(1);
  expect(problems).toEqual([]);
});
