// Announcements for screen readers: each complete turn, and each question to the person.

import { type RefObject, useEffect, useRef } from "react";
import type { DebateChat, Room } from "./room.ts";
import { phaseOf } from "./transcript.ts";
import { SPEAKER_NAMES } from "../words.ts";

/** Fills a live region. The turns of an opened debate are not announced. */
export function useSpokenDebate({ session }: Room): RefObject<HTMLParagraphElement | null> {
  const region = useRef<HTMLParagraphElement>(null);
  useEffect(
    () =>
      session.subscribe((chat, before) => {
        const news = [...turnIn(chat, before), ...changeIn(chat, before)];
        if (region.current && news.length > 0) region.current.textContent = news.join(" ");
      }),
    [session],
  );
  return region;
}

function turnIn({ messages, state }: DebateChat, before: DebateChat): string[] {
  const last = state.turns?.at(-1);
  if (!last || last.speaker === "person" || state.turns === before.state.turns) return [];
  const message = messages.find(({ id }) => id === last.id);
  const text = message && "content" in message && typeof message.content === "string" ? message.content : "";
  return text === "" ? [] : [`${SPEAKER_NAMES[last.speaker]}: ${text}`];
}

function changeIn(chat: DebateChat, before: DebateChat): string[] {
  const phase = phaseOf(chat);
  if (phase === phaseOf(before)) return [];
  if (phase === "waiting")
    return [`Round ${(chat.state.round ?? 0) + 1} of ${chat.state.maxRounds} is ready: continue or stop.`];
  if (phase === "completed") return ["The debate is over."];
  return phase === "broken_off" ? ["The debate is paused."] : [];
}
