// What the first board does not show: loaded when it is first shown, or once the board is there.

import { late } from "./late.tsx";

const parts = () => import("./parts.ts");

export const AheadItem = late(() => parts().then((part) => part.AheadItem));
export const BranchChanges = late(() => parts().then((part) => part.BranchChanges));
export const GhostCard = late(() => parts().then((part) => part.GhostCard));
export const KeysDialog = late(() => parts().then((part) => part.KeysDialog));
export const NameForm = late(() => parts().then((part) => part.NameForm));
export const ObstacleNote = late(() => parts().then((part) => part.ObstacleNote));
export const PastBoard = late(() => parts().then((part) => part.PastBoard));
export const ProposalsPanel = late(() => parts().then((part) => part.ProposalsPanel));
export const ProposedBoard = late(() => parts().then((part) => part.ProposedBoard));
export const StillBoard = late(() => parts().then((part) => part.StillBoard));
export const TimelinePanel = late(() => parts().then((part) => part.TimelinePanel));
export const ToolCall = late(() => parts().then((part) => part.ToolCall));
export const VersionTrack = late(() => parts().then((part) => part.VersionTrack));
export const WhyNote = late(() => parts().then((part) => part.WhyNote));

/** It brings the list of which only the visible part is rendered. */
export const LongCardList = late(() => import("./board/long-card-list.tsx").then((part) => part.LongCardList));
/** It compares two states. */
export const StatePanel = late(() => import("./state-panel.tsx").then((part) => part.StatePanel));
