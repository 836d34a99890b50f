// What the first board does not show: loaded when it is first shown, or once the board is there.

import { latePart } from "@opstate/kanban-page/late-part.ts";

const parts = () => import("./parts.ts");

export const aheadItem = latePart(() => parts().then((part) => part.AheadItem));
export const branchChanges = latePart(() => parts().then((part) => part.BranchChanges));
export const ghostCard = latePart(() => parts().then((part) => part.GhostCard));
export const keysDialog = latePart(() => parts().then((part) => part.KeysDialog));
export const nameForm = latePart(() => parts().then((part) => part.NameForm));
export const obstacleNote = latePart(() => parts().then((part) => part.ObstacleNote));
export const pastBoard = latePart(() => parts().then((part) => part.PastBoard));
export const proposalsPanel = latePart(() => parts().then((part) => part.ProposalsPanel));
export const proposedBoard = latePart(() => parts().then((part) => part.ProposedBoard));
export const stillBoard = latePart(() => parts().then((part) => part.StillBoard));
export const timelinePanel = latePart(() => parts().then((part) => part.TimelinePanel));
export const toolCall = latePart(() => parts().then((part) => part.ToolCall));
export const versionTrack = latePart(() => parts().then((part) => part.VersionTrack));
export const whyNote = latePart(() => parts().then((part) => part.WhyNote));

/** It brings the list of which only the visible part is rendered. */
export const longCardList = latePart(() => import("./board/long-card-list.svelte").then((part) => part.default));
/** It compares two states. */
export const statePanel = latePart(() => import("./state-panel.svelte").then((part) => part.default));
