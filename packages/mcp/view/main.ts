// The generic view of a thread: its state, what can be done, what happened, and what waits for a
// person.
//
// - It reaches the server by calls of two tools alone, which every host that shows views relays.
// - It keeps nothing: the thread has the state, so a reload shows what is there.
// - It approves nothing. To the server it has the rights of the model beside it.

import { element, part } from "./elements.ts";
import { connectHost, type Host } from "./host.ts";
import { operationForm } from "./operation-form.ts";
import type { ThreadData } from "./thread-data.ts";
import { tree } from "./tree.ts";

const LOOK_AGAIN_MS = 2_000;

const closed = new Set<string>();
let known: number | undefined;
let watching = new AbortController();

async function watch(threadId: string, host: Host): Promise<void> {
  watching.abort();
  const { signal } = (watching = new AbortController());
  known = undefined;
  while (!signal.aborted) {
    if (!document.hidden) await look(threadId, host);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Shows the thread as it is now. */
async function look(threadId: string, host: Host): Promise<void> {
  try {
    const { content, structuredContent, isError } = await host.callTool("opstate_look", { threadId, known });
    if (isError) return say(content[0]?.text ?? "The thread cannot be read.");
    // Without a state it is at the version that is known.
    if (structuredContent !== undefined && "state" in structuredContent)
      // The tool's output schema is its promise.
      show(structuredContent as unknown as ThreadData, threadId, host);
  } catch (error) {
    say(`The server cannot be reached: ${String(error)}`);
  }
}

function show(data: ThreadData, threadId: string, host: Host): void {
  known = data.version;
  const { definition, version, state, operations, commits, proposals, page } = data;
  part("title").textContent = `${definition} ${threadId}, version ${version}`;
  part("state").replaceChildren(tree(state, closed));
  showOperations(operations, (type, input) => void act(threadId, host, { type, ...input }));
  part("commits").replaceChildren(
    ...commits.map((commit) => element("li", {}, `${commit.version} ${commit.by}: ${commit.sentence}`)),
  );
  part("proposals").replaceChildren(...proposals.map(({ by, sentence }) => element("li", {}, `${by}: ${sentence}`)));
  part("waiting").hidden = proposals.length === 0;
  const decide = element("button", { type: "button" }, "Decide on the page");
  decide.addEventListener("click", () => void host.openLink(page ?? "").catch((error) => say(String(error))));
  part("decide").replaceChildren(page === undefined ? "A person decides in the application." : decide);
}

let shownOperations = "";

/** A form that a person fills in stays as it is while the same can be done. */
function showOperations(operations: ThreadData["operations"], act: (type: string, input: object) => void): void {
  const text = JSON.stringify(operations);
  if (text === shownOperations) return;
  shownOperations = text;
  part("operations").replaceChildren(
    ...operations.map((operation) => operationForm(operation, (input) => act(operation.type, input))),
  );
}

async function act(threadId: string, host: Host, operation: object): Promise<void> {
  try {
    const { content } = await host.callTool("opstate_act", { threadId, operation, basedOn: known });
    say(content[0]?.text ?? "");
  } catch (error) {
    say(`It may not have been done: ${String(error)}`);
  }
  await look(threadId, host);
}

function say(text: string): void {
  part("said").textContent = text;
}

await connectHost((threadId, host) => void watch(threadId, host));
