// Reads the debate from the server, and retries until the server answers.

import { useEffect, useState } from "react";
import type { Api } from "./api.ts";
import { type DebateSession, storedDebate } from "./room/room.ts";

export type Opening =
  | { readonly kind: "loading" | "missing" | "unreachable" }
  /** `elsewhere`: another page runs it, and this page shows the stored state. */
  | { readonly kind: "open"; readonly session: DebateSession; readonly elsewhere: boolean };

const RETRY_MS = 1500;

export function useStoredDebate(api: Api, id: string): Opening {
  const [opening, setOpening] = useState<Opening>({ kind: "loading" });
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function look(): Promise<Opening> {
      try {
        const debate = await api.read(id);
        if (debate === undefined) return { kind: "missing" };
        return { kind: "open", session: storedDebate(api, debate), elsewhere: debate.phase === "running" };
      } catch {
        return { kind: "unreachable" };
      }
    }
    async function ask() {
      const next = await look();
      if (isOver) return;
      setOpening(next);
      if (next.kind === "unreachable" || (next.kind === "open" && next.elsewhere))
        timer = setTimeout(() => void ask(), RETRY_MS);
    }
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, id]);
  return opening;
}
