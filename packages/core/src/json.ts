// The entry `@opstate/core/json`: what opstate's own packages know about JSON values, so that each
// piece of it is written once.

export { isContainer, isObject, isRecord } from "./json/container.ts";
export { isJson } from "./json/is-json.ts";
export { PROTO } from "./json/reserved-keys.ts";
export { equal } from "./json/equal.ts";
export { idKeyOf } from "./json/id-key.ts";
export { deepFreeze } from "./engine/freeze.ts";
