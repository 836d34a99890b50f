// The debate's own icons: phases and labels. The other icons are shared by all demos.

import type { IconName } from "@opstate/ui/icons.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import type { Fact } from "../debate/state.ts";

/** The icon of a label; each has its own shape. */
export const LabelIcon = ({ label }: { label: Fact["label"] }) => <Icon name={LABELS[label]} size={14} />;

const LABELS: Readonly<Record<Fact["label"], IconName>> = {
  plausible: "check",
  overstated: "warning",
  unsourced: "question",
  prediction: "clock",
  wrong: "cross",
};

/** The icon of a phase; each has its own shape. */
export function PhaseIcon({ phase }: { phase: string }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" fill="currentColor" aria-hidden="true">
      {phase === "running" || phase === "starting" ? (
        <circle cx="5" cy="5" r="4.500" />
      ) : phase === "waiting" ? (
        <path d="M1.500 1h2.500v8H1.500zM6 1h2.500v8H6z" />
      ) : phase === "completed" ? (
        <path d="m1 5.400 2.700 2.700L9.200 2.600" fill="none" stroke="currentColor" strokeWidth="1.800" />
      ) : phase === "broken_off" ? (
        <circle cx="5" cy="5" r="3.800" fill="none" stroke="currentColor" strokeWidth="1.800" />
      ) : (
        <path d="m1.500 1.500 7 7m0-7-7 7" fill="none" stroke="currentColor" strokeWidth="2" />
      )}
    </svg>
  );
}
