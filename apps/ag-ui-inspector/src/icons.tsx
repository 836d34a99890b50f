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

export const CheckIcon = () => (
  <Icon>
    <path d="m3.500 8.500 3 3 6-7" />
  </Icon>
);
export const ChevronIcon = () => (
  <Icon>
    <path d="m6 4 4 4-4 4" />
  </Icon>
);
export const CrossIcon = () => (
  <Icon>
    <path d="m4.500 4.500 7 7m0-7-7 7" />
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
export const ChatIcon = () => (
  <Icon>
    <path d="M8 2.5 13.5 8 8 13.5 2.5 8z" />
  </Icon>
);
export const TreeIcon = () => (
  <Icon>
    <path d="M3 3.500h10M6 8h7M6 12.500h7M3 3.500v9h1.500M3 8h1.500" />
  </Icon>
);
export const EventsIcon = () => (
  <Icon>
    <path d="M4 2.5v11M7.5 4h6M7.5 8h6M7.5 12h4" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="m10 4-4 4 4 4" />
  </Icon>
);

/** The two who share a state. */
export const Logo = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="7" cy="10" r="5" fill="var(--human)" />
    <path d="m13.500 4.500 5.500 5.500-5.500 5.500L8 10z" fill="var(--agent)" fillOpacity="0.850" />
  </svg>
);

/** The agent's mark: a diamond, wherever it speaks. */
export const AgentMark = ({ size = 10 }: { size?: number }) => (
  <svg className="mark" data-kind="agent" width={size} height={size} viewBox="0 0 10 10" fill="currentColor" aria-hidden="true">
    <path d="M5 0l5 5-5 5-5-5z" />
  </svg>
);
