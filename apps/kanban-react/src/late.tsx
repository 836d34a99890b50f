// A component of a late part: nothing until its code is there.

import { latePart } from "@opstate/kanban-page/late-part.ts";
import { type ComponentType, useEffect } from "react";
import { useStore } from "zustand";

export function late<Props extends object>(request: () => Promise<ComponentType<Props>>) {
  const part = latePart(request);
  function Late(props: Props) {
    const Loaded = useStore(part);
    useEffect(() => part.load(), []);
    return Loaded && <Loaded {...props} />;
  }
  return Object.assign(Late, { load: part.load });
}
