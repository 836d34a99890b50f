/** The limits of patches that the engine itself made: none. What they came from was checked. */
export const NO_LIMITS = { operations: Infinity, depth: Infinity, size: Infinity, growth: Infinity };
