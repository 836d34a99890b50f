// The log as a rail beside the board: its buttons, and how they open and close the log. Pages of a
// middle width have a rail; wider pages show the whole log, narrower ones one pane at a time.

import type { IconName } from "@opstate/ui/icons.ts";
import type { PageView, SideTab } from "./page-view.ts";
import type { ShownTab } from "./side-tabs.ts";

export interface RailButton {
  readonly tab: SideTab;
  readonly icon: IconName;
  readonly label: string;
  readonly count: number;
  readonly expanded: boolean;
}

/** The log's own button, and one for proposals while there are any. */
export function railButtons(tabs: readonly ShownTab[], tab: SideTab, open: boolean): readonly RailButton[] {
  const count = tabs.find(({ name }) => name === "proposals")?.count ?? 0;
  const waiting: RailButton = {
    tab: "proposals",
    icon: "check",
    label: count === 1 ? "1 proposal" : `${count} proposals`,
    count,
    expanded: count > 0 && open && tab === "proposals",
  };
  const log: RailButton = {
    tab: "timeline",
    icon: "timeline",
    label: "Log",
    count: 0,
    expanded: open && !waiting.expanded,
  };
  return count === 0 ? [log] : [log, waiting];
}

/** A second press closes what the first one opened. The log's own button keeps the last tab. */
export function pressRail(
  view: { log(open: boolean): void; reveal(tab: SideTab): void },
  { tab, expanded }: RailButton,
): void {
  if (expanded) view.log(false);
  else if (tab === "timeline") view.log(true);
  else view.reveal(tab);
}

/**
 * Escape closes the log where it covers the board, and moves the focus back to the rail. Returns
 * the function that stops it.
 */
export function attachLogRail(pane: HTMLElement, view: { getState(): PageView; log(open: boolean): void }): () => void {
  function press(event: KeyboardEvent): void {
    const button =
      pane.querySelector<HTMLElement>("[data-rail] [aria-expanded=true]") ??
      pane.querySelector<HTMLElement>("[data-rail] button");
    if (event.key !== "Escape" || event.defaultPrevented || !view.getState().logOpen || !button?.checkVisibility())
      return;
    // Escape in a form cancels the form.
    if (event.target instanceof Element && event.target.closest("form") !== null) return;
    event.preventDefault();
    button.focus();
    view.log(false);
  }
  pane.addEventListener("keydown", press);
  return () => pane.removeEventListener("keydown", press);
}
