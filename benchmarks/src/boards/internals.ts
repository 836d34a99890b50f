// Parts of core that are no public names, to be measured apart from the rest. They come from its
// build, the same files that "@opstate/core" itself resolves to.

export { recordingDrafts } from "../../../packages/core/dist/engine/draft/draft.js";
export { FrozenParts } from "../../../packages/core/dist/engine/draft/frozen-parts.js";
export { compileValidator } from "../../../packages/core/dist/engine/validation/validate.js";
export { deepFreeze } from "../../../packages/core/dist/engine/freeze.js";
