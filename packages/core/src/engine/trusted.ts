/**
 * For patches that the engine itself made: what they came from was small enough when it came.
 * Limits are for strangers.
 */
export const NO_LIMITS = { operations: Infinity, depth: Infinity, size: Infinity, growth: Infinity };
