// The drafting libraries, set as an application in production would set them: nothing frozen, RFC
// 6902 patches.

import { enablePatches, setAutoFreeze } from "immer";

enablePatches();
setAutoFreeze(false);

/**
 * mutative's default is a dialect of its own: paths as arrays, and assignments of an array's
 * length.
 */
export const mutativePatches = { enablePatches: { pathAsArray: false, arrayLengthAssignment: false } } as const;
