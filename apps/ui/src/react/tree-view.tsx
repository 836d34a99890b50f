// A JSON value as a tree with the arrow keys of file lists. The active value is shown whole below
// it.

import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { Icon } from "./icon.tsx";
import { JsonBlock } from "./json-block.tsx";
import { VirtualList } from "./virtual-list.tsx";
import { type Changes, isChanged } from "../tree/changed-paths.ts";
import { navigate } from "../tree/navigate.ts";
import { rowText, type TreeRow, treeRows, typeOf } from "../tree/tree-rows.ts";

const ROW_HEIGHT = 24;

interface TreeViewProps {
  readonly value: unknown;
  /** The root's name. */
  readonly name: string;
  /** The tree's name for screen readers. */
  readonly label: string;
  readonly changes: Changes;
  /** Counts changes, so that each change flashes. */
  readonly flash: number;
}

export function TreeView({ value, name, label, changes, flash }: TreeViewProps) {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activePath, setActivePath] = useState<string>();
  const rows = useMemo(() => treeRows(value, opened, name), [value, opened, name]);
  const ids = useId();
  const active = activePath === undefined ? -1 : rows.findIndex(({ path }) => path === activePath);
  const activeRow = rows[active];

  const toggle = ({ path, open }: TreeRow) => setOpened(new Map(opened).set(path, open !== true));

  function press(event: KeyboardEvent) {
    const navigation = navigate(rows, active, event.key);
    if (navigation === undefined) return;
    event.preventDefault();
    if ("toggle" in navigation) toggle(navigation.toggle);
    else setActivePath(rows[navigation.active]?.path);
  }

  return (
    <>
      <VirtualList
        className="tree"
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={activeRow === undefined ? undefined : `${ids}${activeRow.path}`}
        items={rows}
        rowHeight={ROW_HEIGHT}
        active={active}
        keyOf={({ path }) => path}
        onKeyDown={press}
        onFocus={() => activePath ?? setActivePath("")}
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
                if (open !== undefined) toggle(row);
              }}
            >
              {changed && <span key={flash} className="flash" />}
              <span className="tree-chevron" data-open={open}>
                {open !== undefined && <Icon name="chevron" />}
              </span>
              <span className="tree-name">{row.name}</span>
              <span className="tree-value" data-type={typeOf(row.value)}>
                {rowText(row)}
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
