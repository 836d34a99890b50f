// A JSON value as a tree that is walked with the arrow keys, as file lists are; the whole of the active value stands below it.

import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { JsonBlock } from "../json-block.tsx";
import { VirtualList } from "../virtual-list.tsx";
import { type Changes, isChanged } from "./changed-paths.ts";
import { preview, type TreeRow, treeRows } from "./tree-rows.ts";

const ROW_HEIGHT = 24;

interface TreeViewProps {
  readonly value: unknown;
  readonly name: string;
  readonly changes: Changes;
  /** Counts changes, so that a place that changes twice flashes twice. */
  readonly flash: number;
}

export function TreeView({ value, name, changes, flash }: TreeViewProps) {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activePath, setActivePath] = useState<string>();
  const rows = useMemo(() => treeRows(value, opened, name), [value, opened, name]);
  const ids = useId();
  const active = activePath === undefined ? -1 : rows.findIndex(({ path }) => path === activePath);
  const activeRow = rows[active];

  const toggle = ({ path, open }: TreeRow) => setOpened(new Map(opened).set(path, open !== true));
  const goTo = (index: number) => setActivePath(rows[Math.max(0, Math.min(index, rows.length - 1))]?.path);

  function press(event: KeyboardEvent) {
    const handled = steer(event.key);
    if (handled) event.preventDefault();
  }

  function steer(key: string): boolean {
    if (key === "ArrowDown") goTo(active + 1);
    else if (key === "ArrowUp") goTo(active - 1);
    else if (key === "Home") goTo(0);
    else if (key === "End") goTo(rows.length - 1);
    else if (activeRow === undefined) return false;
    else if (key === "Enter" || key === " ") toggleIfHolding(activeRow);
    else if (key === "ArrowRight") stepIn(activeRow);
    else if (key === "ArrowLeft") stepOut(activeRow);
    else return false;
    return true;
  }

  function stepIn(row: TreeRow) {
    if (row.open === false) toggle(row);
    else if (row.open === true) goTo(active + 1);
  }

  function stepOut(row: TreeRow) {
    if (row.open === true) toggle(row);
    else goTo(parentOf(rows, active));
  }

  function toggleIfHolding(row: TreeRow) {
    if (row.open !== undefined) toggle(row);
  }

  return (
    <>
      <VirtualList
        className="tree"
        role="tree"
        tabIndex={0}
        aria-label={name === "state" ? "State of the agent" : "Custom values"}
        aria-activedescendant={activeRow === undefined ? undefined : `${ids}${activeRow.path}`}
        items={rows}
        rowHeight={ROW_HEIGHT}
        active={active}
        keyOf={({ path }) => path}
        onKeyDown={press}
        onFocus={() => activePath ?? goTo(0)}
      >
        {(row) => {
          const { path, level, open } = row;
          const changed = isChanged(changes, path, open);
          return (
            <div
              id={`${ids}${path}`}
              className="tree-row"
              role="treeitem"
              aria-level={level}
              aria-setsize={row.siblings}
              aria-posinset={row.position}
              aria-expanded={open}
              aria-selected={path === activePath}
              data-changed={changed || undefined}
              data-path={path}
              style={{ paddingLeft: 8 + (level - 1) * 16 }}
              onClick={() => {
                setActivePath(path);
                toggleIfHolding(row);
              }}
            >
              {changed && <span key={flash} className="flash" />}
              <span className="tree-chevron" data-open={open}>
                {open !== undefined && <Icon name="chevron" />}
              </span>
              <span className="tree-name">{row.name}</span>
              <span className="tree-value" data-type={typeOf(row.value)}>
                {open === true ? sizeWords(row.value) : preview(row.value)}
              </span>
            </div>
          );
        }}
      </VirtualList>
      {activeRow !== undefined && (
        <div className="detail">
          <p className="mono">{activeRow.path === "" ? "The whole value" : activeRow.path}</p>
          <JsonBlock value={activeRow.value} label={`Value of ${activeRow.path || name}`} />
        </div>
      )}
    </>
  );
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  return Math.max(
    0,
    rows.findLastIndex((row, at) => at < index && row.level < level),
  );
}

const sizeWords = (value: unknown): string => (Array.isArray(value) ? preview(value) : "");

const typeOf = (value: unknown): string => (value === null ? "null" : typeof value);
