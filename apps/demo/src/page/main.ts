// The start page: its command has the page's own address, and can be copied.

import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "./start.css";

const place = element("command");
const command = (place.textContent ?? "").trim().replace("http://127.0.0.1:4310", location.origin);
place.textContent = command;
element("copy").addEventListener("click", () => void copy());

async function copy(): Promise<void> {
  const said = element("copied");
  try {
    await navigator.clipboard.writeText(command);
    element("copy").textContent = "Copied";
    said.textContent = "The command is copied.";
  } catch {
    // Without permission to write, the command is selected instead.
    getSelection()?.selectAllChildren(place);
    said.textContent = "The command is selected: press Ctrl+C to copy it.";
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element with the id "${id}"`);
  return found;
}
