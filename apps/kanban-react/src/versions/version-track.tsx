// The versions as a slider, with a tick for each commit that fits.

import { LOG, logOf, readBackTo } from "@opstate/kanban-page/timeline/log.ts";
import { versionSlider } from "@opstate/kanban-page/versions/slider.ts";
import { hold, watchRoom } from "@opstate/kanban-page/versions/track.ts";
import { versionAt, versionWindow, type VersionWindow } from "@opstate/kanban-page/versions/window.ts";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { VersionTicks } from "./version-ticks.tsx";

export function VersionTrack() {
  const { past, user, thread } = useSession();
  const head = Board.useSync((sync) => sync.version);
  const history = Board.useHistory(LOG);
  const viewed = useStore(past, (state) => state.version);
  const { entries } = logOf(history, thread.getState());
  const { commits, first, at, isRead, title, spoken } = versionSlider({ ...history, entries, head, viewed, user });
  const track = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => (track.current ? watchRoom(track.current, setRoom) : undefined), []);
  // While the slider is in a hand, what is under it stays: a group opens when it is let go.
  const [held, setHeld] = useState<VersionWindow>();
  const shown = held ?? versionWindow({ first, head, at, room });
  const { from, min, max } = shown;
  useEffect(() => {
    if (isRead) void readBackTo(from, thread.history.with(LOG));
  }, [from, isRead, thread]);
  return (
    <>
      <div ref={track} className="version-track">
        {room > 0 && <VersionTicks commits={commits} shown={shown} at={at} />}
        <input
          type="range"
          className="version-slider"
          aria-label="Version of the board"
          aria-valuetext={spoken}
          title={title}
          min={min}
          max={max}
          value={at}
          disabled={head === 0}
          onPointerDown={(event) =>
            hold(
              event,
              () => setHeld(shown),
              () => setHeld(undefined),
            )
          }
          onChange={(event) => past.show(versionAt(shown, Number(event.target.value)))}
        />
      </div>
      <p className="version-count number" aria-hidden="true">
        {`v${at}`}
      </p>
    </>
  );
}
