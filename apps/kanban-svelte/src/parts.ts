// The parts that are loaded together, in one file.

export { default as BranchChanges } from "./branch/branch-changes.svelte";
export { default as StillBoard } from "./branch/still-board.svelte";
export { default as ToolCall } from "./chat/tool-call.svelte";
export { default as KeysDialog } from "./layout/keys-dialog.svelte";
export { default as NameForm } from "./name-form.svelte";
export { default as AheadItem } from "./proposals/ahead-item.svelte";
export { default as GhostCard } from "./proposals/ghost-card.svelte";
export { default as ProposalsPanel } from "./proposals/proposals-panel.svelte";
export { default as ProposedBoard } from "./proposals/proposed-board.svelte";
export { default as TimelinePanel } from "./timeline/timeline-panel.svelte";
export { default as ObstacleNote } from "./undo/obstacle-note.svelte";
export { default as PastBoard } from "./versions/past-board.svelte";
export { default as VersionTrack } from "./versions/version-track.svelte";
export { default as WhyNote } from "./why-note.svelte";
