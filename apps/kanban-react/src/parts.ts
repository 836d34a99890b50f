// The parts that are loaded together, in one file.

export { BranchChanges } from "./branch/branch-changes.tsx";
export { StillBoard } from "./branch/still-board.tsx";
export { ToolCall } from "./chat/tool-call.tsx";
export { KeysDialog } from "./layout/keys-dialog.tsx";
export { NameForm } from "./name-form.tsx";
export { AheadItem } from "./proposals/ahead-item.tsx";
export { GhostCard } from "./proposals/ghost-card.tsx";
export { ProposalsPanel } from "./proposals/proposals-panel.tsx";
export { ProposedBoard } from "./proposals/proposed-board.tsx";
export { TimelinePanel } from "./timeline/timeline-panel.tsx";
export { ObstacleNote } from "./undo/obstacle-note.tsx";
export { PastBoard } from "./versions/past-board.tsx";
export { VersionTrack } from "./versions/version-track.tsx";
export { WhyNote } from "./why-note.tsx";
