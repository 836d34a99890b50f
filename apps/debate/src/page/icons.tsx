// The page's icons, drawn with the text's colour. They are decoration; the words beside them say it.

import type { ReactNode } from "react";
import type { Fact } from "../debate/state.ts";

function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const StopIcon = () => (
  <Icon>
    <rect x="4.500" y="4.500" width="7" height="7" rx="1" fill="currentColor" />
  </Icon>
);
export const ArrowIcon = () => (
  <Icon>
    <path d="M3 8h10M9 4l4 4-4 4" />
  </Icon>
);

/** The two sides. */
export const Logo = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M7 3l6 11H1z" fill="var(--optimist)" />
    <path d="M13 17L7 6h12z" fill="var(--skeptic)" fillOpacity="0.900" />
  </svg>
);

/** A fact check's label: a shape of its own each. */
export function LabelIcon({ label }: { label: Fact["label"] }) {
  return <Icon size={14}>{labels[label]}</Icon>;
}

const labels: Readonly<Record<Fact["label"], ReactNode>> = {
  plausible: <path d="m3 8.500 3.200 3.200L13 4.800" />,
  overstated: <path d="M8 2.500 14 13.500H2zM8 6.800v3M8 11.700v.1" />,
  unsourced: <path d="M5.500 5.800A2.600 2.600 0 1 1 8 9v1.200M8 13v.1" />,
  prediction: <path d="M8 4.500V8l2.500 1.600M8 14A6 6 0 1 1 8 2a6 6 0 0 1 0 12z" />,
  wrong: <path d="m4 4 8 8m0-8-8 8" />,
};

/** How the debate stands: a shape of its own each. */
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
