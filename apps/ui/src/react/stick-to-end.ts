// `stickToEnd` as a `ref` of the scrolling element. It is a constant function, so rendering again
// does not restart it.

import type { RefCallback } from "react";
import { stickToEnd } from "../stick-to-end.ts";

export const stickToEndRef: RefCallback<HTMLElement> = (element) =>
  element === null ? undefined : stickToEnd(element);
