// A long list of rows of one height, of which only the visible ones are rendered.
//
// The list keeps the focus and refers to its active row by id, so it scrolls to the active row when
// that changes.

import { bringIntoSight, FIRST_VIEW, rowsInSight } from "../virtual-window.ts";
import { type HTMLAttributes, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";

interface VirtualListProps<Item> extends Omit<HTMLAttributes<HTMLDivElement>, "children"> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  /** The list scrolls to it when it changes. */
  readonly active: number;
  /** Stays at the end while items are added, unless the reader scrolled up. */
  readonly follow?: boolean;
  readonly keyOf: (item: Item) => string | number;
  readonly children: (item: Item, index: number) => ReactNode;
}

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, rowHeight, active, follow = false, keyOf, children, ...rest } = props;
  const count = items.length;
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [view, setView] = useState(FIRST_VIEW);
  const { from, to } = rowsInSight(view, rowHeight, count);

  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop: top, clientHeight: height, scrollHeight } = element;
    atEnd.current = scrollHeight - top - height < rowHeight * 2;
    setView((before) => (before.top === top && before.height === height ? before : { top, height }));
  }, [rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [look]);

  // The effects below only scroll; `look` runs on the scroll event.
  useLayoutEffect(() => {
    if (scroller.current !== null && active >= 0) bringIntoSight(scroller.current, active, rowHeight);
  }, [active, rowHeight]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && follow && atEnd.current) element.scrollTop = count * rowHeight;
  }, [follow, count, rowHeight]);

  return (
    <div {...rest} ref={scroller} onScroll={look}>
      <div className="virtual" role="presentation" style={{ height: count * rowHeight }}>
        {items.slice(from, to).map((item, offset) => (
          <div
            key={keyOf(item)}
            className="virtual-row"
            role="presentation"
            style={{ height: rowHeight, transform: `translateY(${(from + offset) * rowHeight}px)` }}
          >
            {children(item, from + offset)}
          </div>
        ))}
      </div>
    </div>
  );
}
