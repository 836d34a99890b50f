// The list of all events, and the slider to go back to any of them.

import type { RecordedChat } from "@opstate/ag-ui";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { VirtualList } from "@opstate/ui/react/virtual-list.tsx";
import { entryLine } from "./entry-line.ts";
import { ReplayBar } from "./replay-bar.tsx";

const ROW_HEIGHT = 28;
const PAGE_ROWS = 10;

interface EventsPaneProps {
  readonly now: RecordedChat;
  /** The state that is shown is the one after this many events. */
  readonly index: number;
  readonly replaying: boolean;
  readonly onGoTo: (index: number) => void;
  readonly onNow: () => void;
}

interface NumberedEntry {
  readonly number: number;
  readonly entry: RecordedChat["entries"][number];
}

export function EventsPane({ now, index, replaying, onGoTo, onNow }: EventsPaneProps) {
  const { entries, first, length } = now;
  const [filter, setFilter] = useState("");
  const ids = useId();
  const shown = useMemo(() => filtered(entries, first, filter), [entries, first, filter]);
  // The last event at this moment; with a filter, the last one that is shown.
  const active = replaying ? shown.findLastIndex(({ number }) => number <= index) : -1;
  const selected = replaying ? entries[index - first - 1] : undefined;
  const began = entries[0]?.at ?? 0;

  const goToRow = (row: number) => {
    const target = shown[Math.max(0, Math.min(row, shown.length - 1))];
    if (target !== undefined) onGoTo(target.number);
  };

  function press(event: KeyboardEvent) {
    const from = active < 0 ? shown.length - 1 : active;
    const to = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + PAGE_ROWS,
      PageUp: from - PAGE_ROWS,
      Home: 0,
      End: shown.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goToRow(to);
  }

  return (
    <section className="pane events-pane" aria-labelledby="events-title">
      <header className="pane-head">
        <Icon name="timeline" />
        <h2 id="events-title">Events</h2>
        <span className="chip number">{length}</span>
        <span className="push" />
        <input
          className="field filter"
          type="search"
          aria-label="Show only types that contain"
          placeholder="Filter by type"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      </header>
      <ReplayBar
        entry={selected}
        first={first}
        length={length}
        index={index}
        replaying={replaying}
        onGoTo={onGoTo}
        onNow={onNow}
      />
      {shown.length === 0 ? (
        <p className="empty">
          {length === first
            ? "No events yet. They appear here as they come, and can be played again."
            : `No event's type contains "${filter}".`}
        </p>
      ) : (
        <VirtualList
          className="events"
          role="listbox"
          tabIndex={0}
          aria-label="Events"
          aria-activedescendant={active < 0 ? undefined : `${ids}${shown[active]?.number ?? 0}`}
          items={shown}
          rowHeight={ROW_HEIGHT}
          active={active}
          keyOf={({ number }) => number}
          follow={!replaying}
          onKeyDown={press}
        >
          {({ number, entry }, row) => {
            const { type, detail, group } = entryLine(entry);
            return (
              <div
                id={`${ids}${number}`}
                className="event"
                role="option"
                aria-selected={row === active}
                aria-setsize={shown.length}
                aria-posinset={row + 1}
                data-group={group}
                data-future={number > index || undefined}
                onClick={() => onGoTo(number)}
              >
                <span className="event-number number">{number}</span>
                <span className="event-dot" />
                <span className="event-type mono">{type}</span>
                <span className="event-detail">{detail}</span>
                <span className="event-time number">{seconds(entry.at - began)}</span>
              </div>
            );
          }}
        </VirtualList>
      )}
      {selected !== undefined && (
        <div className="detail">
          <p className="mono">
            Event {index}: {entryLine(selected).type}
          </p>
          <JsonBlock
            value={"event" in selected ? selected.event : "send" in selected ? selected.send : selected.end}
            label={`Event ${index}`}
          />
        </div>
      )}
    </section>
  );
}

function filtered(entries: RecordedChat["entries"], first: number, filter: string): readonly NumberedEntry[] {
  const wanted = filter.trim().toUpperCase();
  const numbered = entries.map((entry, at) => ({ number: first + at + 1, entry }));
  return wanted === ""
    ? numbered
    : numbered.filter(({ entry }) => entryLine(entry).type.toUpperCase().includes(wanted));
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
