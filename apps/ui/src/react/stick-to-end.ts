// `stickToEnd` as a `ref` of the element that scrolls. It is one function, so that rendering again
// does not begin anew.

import type { RefCallback } from "react";
import { stickToEnd } from "../stick-to-end.ts";

export const stickToEndRef: RefCallback<HTMLElement> = (element) =>
  element === null ? undefined : stickToEnd(element);
