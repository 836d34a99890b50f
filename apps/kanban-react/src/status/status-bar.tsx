// The line at the foot: connected or not, what waits, and the version. It is always there, so nothing jumps when the connection goes.

import type { Sync } from "@opstate/core";
import { useSync } from "@opstate/react";
import { useEffect, useRef } from "react";
import { ConnectionSwitch } from "../connection/connection-switch.tsx";
import { useSession } from "../session-context.ts";
import { useSettledStatus } from "./use-settled-status.ts";

export function StatusBar() {
  const { replica } = useSession();
  const status = useSettledStatus(replica);
  const version = useSync(replica, (sync) => sync.version);
  const pending = useSync(replica, (sync) => sync.pending.length);
  useSpokenStatus(status, pending);
  useLeaveGuard(pending > 0);
  return (
    <footer className="status" data-status={status} data-testid="status">
      <span className="status-light">
        <Light status={status} />
        {lights[status]}
      </span>
      <span className="status-message">{sentence(status, pending)}</span>
      <span className="push" />
      <ConnectionSwitch />
      <span className="number">Version {version}</span>
    </footer>
  );
}

const lights: Readonly<Record<Sync["status"], string>> = { online: "Live", connecting: "Connecting", offline: "Offline" };

function sentence(status: Sync["status"], pending: number): string {
  if (status === "online") return pending === 0 ? "All edits saved" : `Saving ${edits(pending)}`;
  if (pending > 0) return `${edits(pending)} waiting, sent when the connection is back`;
  return status === "offline" ? "You can keep editing" : "";
}

const edits = (count: number): string => `${count} ${count === 1 ? "edit" : "edits"}`;

function Light({ status }: { status: Sync["status"] }) {
  return (
    <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
      {status === "online" ? (
        <circle cx="4" cy="4" r="4" fill="currentColor" />
      ) : (
        <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
      )}
    </svg>
  );
}

function useSpokenStatus(status: Sync["status"], pending: number) {
  const { announcer } = useSession();
  const last = useRef(status);
  useEffect(() => {
    const before = last.current;
    last.current = status;
    if (status === before) return;
    if (status === "offline") announcer.say("Offline. You can keep editing.");
    else if (before === "offline") announcer.say(`Connected again. ${sentence(status, pending)}.`);
  }, [announcer, status, pending]);
}

/** What waits lives in this page only: leaving asks first. */
function useLeaveGuard(waiting: boolean) {
  useEffect(() => {
    if (!waiting) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [waiting]);
}
