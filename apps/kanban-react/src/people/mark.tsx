// Who did it, as a shape and a colour: a person is a circle, an agent a diamond, a webhook a square, the system a ring; taking back is a
// grey arrow, whoever does it.

import type { Actor } from "@opstate/core";

export function Mark({ kind, size = 10 }: { kind: string; size?: number }) {
  return (
    <svg
      className="mark"
      data-kind={kind in shapes ? kind : "system"}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="currentColor"
      aria-hidden="true"
    >
      {shapes[kind] ?? shapes["system"]}
    </svg>
  );
}

const shapes: Readonly<Record<string, React.ReactNode>> = {
  user: <circle cx="5" cy="5" r="4.500" />,
  agent: <path d="M5 0l5 5-5 5-5-5z" />,
  webhook: <rect x="0.750" y="0.750" width="8.500" height="8.500" rx="1" />,
  undo: <path d="M4.500 0.500v2.700c3.300 0 5 1.900 5 5.800-1-1.900-2.500-2.800-5-2.800v2.700L0.300 4.700z" />,
  system: <circle cx="5" cy="5" r="3.500" fill="none" stroke="currentColor" strokeWidth="2" />,
};

/** What an actor is called: people by their name, programs by what they are. */
export function nameOf({ kind, id }: Actor, user: string): string {
  if (kind === "user") return id === user ? `${id} (you)` : id;
  if (kind === "agent") return "Agent";
  if (kind === "system") return "System";
  return kind === "webhook" ? `Webhook ${id}` : `${kind} ${id}`;
}
