// Announcements for screen readers: each complete turn, and each question to the person.

import { type RefObject, useEffect, useRef } from "react";
import type { DebateChat } from "./room.ts";
import { phaseOf } from "./transcript.ts";
import { SPEAKER_NAMES } from "../words.ts";

/** Fills a live region. The turns of an opened debate are not announced. */
export function useSpokenDebate(chat: DebateChat): RefObject<HTMLParagraphElement | null> {
  const region = useRef<HTMLParagraphElement>(null);
  const heard = useRef(chat);
  useEffect(() => {
    const news = [...turnsIn(chat, heard.current), ...changeIn(chat, heard.current)];
    heard.current = chat;
    if (region.current && news.length > 0) region.current.textContent = news.join(" ");
  }, [chat]);
  return region;
}

/** Several turns may end within one frame. */
export function turnsIn({ messages, state }: DebateChat, { state: before }: DebateChat): string[] {
  const known = new Set(before.turns?.map(({ id }) => id));
  return (state.turns ?? []).flatMap(({ id, speaker }) => {
    if (known.has(id) || speaker === "person") return [];
    const message = messages.find((one) => one.id === id);
    const text = message && "content" in message && typeof message.content === "string" ? message.content : "";
    return text === "" ? [] : [`${SPEAKER_NAMES[speaker]}: ${text}`];
  });
}

function changeIn(chat: DebateChat, before: DebateChat): string[] {
  const phase = phaseOf(chat);
  if (phase === phaseOf(before)) return [];
  if (phase === "waiting")
    return [`Round ${(chat.state.round ?? 0) + 1} of ${chat.state.maxRounds} is ready: continue or stop.`];
  if (phase === "completed") return ["The debate is over."];
  return phase === "broken_off" ? ["The debate is paused."] : [];
}
