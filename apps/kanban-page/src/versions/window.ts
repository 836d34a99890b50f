// Which versions the slider shows one by one: as many as fit, around the one that is shown. Those
// before and those after them are a group each. Who goes to a group sees its versions.

export interface VersionWindow {
  readonly from: number;
  readonly to: number;
  /** How many commits are before and after. */
  readonly older: number;
  readonly newer: number;
  /** The slider's ends. A group has the places beyond `from` or `to`. */
  readonly min: number;
  readonly max: number;
}

export interface VersionWindowOptions {
  /** The oldest version. It is the state before the first commit of the slider. */
  readonly first: number;
  readonly head: number;
  /** The shown version. */
  readonly at: number;
  /** How many places fit. */
  readonly room: number;
}

/** The places of a group: its mark has a number. */
export const GROUP_PLACES = 3;
/** Pixels from one place to the next: a mark, and what keeps it apart. */
const PLACE_PX = 12;
const MIN_ROOM = 12;

export const roomIn = (width: number): number => Math.max(MIN_ROOM, Math.floor(width / PLACE_PX));

/** Of older versions the windows stay where they are while versions are added. */
export function versionWindow({ first, head, at, room }: VersionWindowOptions): VersionWindow {
  const between = (from: number, to: number): VersionWindow => {
    const older = from - first;
    const newer = head - to;
    return {
      from,
      to,
      // The state at `first` is no commit of the slider.
      older: Math.max(0, older - 1),
      newer,
      min: older > 0 ? from - GROUP_PLACES : from,
      max: newer > 0 ? to + GROUP_PLACES : Math.max(to, from + 1),
    };
  };
  if (head - first <= room) return between(first, head);
  const recent = head - room + GROUP_PLACES;
  if (at >= recent) return between(recent, head);
  const size = room - 2 * GROUP_PLACES;
  const from = first + Math.floor((at - first) / (size + 1)) * (size + 1);
  return between(from, from + size);
}

/** The version at a place of the slider. A group leads to its version beside the window. */
export const versionAt = ({ from, to }: VersionWindow, place: number): number =>
  Math.max(from - 1, Math.min(place, to + 1));
