// The page's icons: 16 px, drawn with the text's colour. They are decoration; the words beside them say it.

import type { ReactNode } from "react";

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const ChatIcon = () => (
  <Icon>
    <path d="M8 2.5 13.5 8 8 13.5 2.5 8z" />
  </Icon>
);
export const BoardIcon = () => (
  <Icon>
    <rect x="2.5" y="2.5" width="4.5" height="11" rx="1" />
    <rect x="9" y="2.5" width="4.5" height="7" rx="1" />
  </Icon>
);
export const TimelineIcon = () => (
  <Icon>
    <path d="M4 2.5v11M7.5 4h6M7.5 8h6M7.5 12h4" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path d="M8 3.5v9M3.5 8h9" />
  </Icon>
);
export const PencilIcon = () => (
  <Icon>
    <path d="m10.5 3 2.5 2.5L6 12.500l-3.200.700.700-3.200z" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m3.500 8.500 3 3 6-7" />
  </Icon>
);
export const CrossIcon = () => (
  <Icon>
    <path d="m4.500 4.500 7 7m0-7-7 7" />
  </Icon>
);
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.500" />
    <path d="M8 5v3l2 1.500" />
  </Icon>
);
export const SendIcon = () => (
  <Icon>
    <path d="M8 13V3.500M4 7l4-4 4 4" />
  </Icon>
);
export const StopIcon = () => (
  <Icon>
    <rect x="4.500" y="4.500" width="7" height="7" rx="1" fill="currentColor" />
  </Icon>
);
export const ChevronIcon = () => (
  <Icon>
    <path d="m6 4 4 4-4 4" />
  </Icon>
);

export const UndoIcon = () => (
  <Icon>
    <path d="M6 3 3 6l3 3M3 6h6.5a3.500 3.500 0 0 1 0 7H7" />
  </Icon>
);
export const RedoIcon = () => (
  <Icon>
    <path d="m10 3 3 3-3 3M13 6H6.500a3.500 3.500 0 0 0 0 7H9" />
  </Icon>
);
export const BranchIcon = () => (
  <Icon>
    <circle cx="5" cy="3.500" r="1.500" />
    <circle cx="5" cy="12.500" r="1.500" />
    <circle cx="11" cy="6" r="1.500" />
    <path d="M5 5v6M11 7.500c0 2.500-6 1-6 3.500" />
  </Icon>
);

/** Bars of a signal: priority 1 fills all four. */
export function PriorityIcon({ priority }: { priority: number }) {
  return (
    <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 3.5}
          y={9 - bar * 3}
          width="2.500"
          height={3 + bar * 3}
          rx="0.750"
          fill="currentColor"
          opacity={bar <= 4 - priority ? 1 : 0.28}
        />
      ))}
    </svg>
  );
}

/** The two who share a board. */
export const Logo = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="7" cy="10" r="5" fill="var(--human)" />
    <path d="m13.500 4.500 5.500 5.500-5.500 5.500L8 10z" fill="var(--agent)" fillOpacity="0.850" />
  </svg>
);
