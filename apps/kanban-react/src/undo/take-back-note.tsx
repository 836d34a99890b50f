// What an undo met or kept, beside what it is about.

import { useStore } from "zustand";
import { ObstacleNote } from "../late-parts.ts";
import { useSession } from "../session-context.ts";

export function TakeBackNote({ about }: { about: string }) {
  const isShown = useStore(
    useSession().takeBack,
    ({ obstacle, kept }) => kept?.about === about || obstacle?.about === about,
  );
  return isShown && <ObstacleNote about={about} />;
}
