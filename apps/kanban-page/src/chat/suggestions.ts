// Example requests, shown while the conversation is empty.

export const SUGGESTIONS = [
  "Move T-42 to In Progress",
  "Move every card with priority 1 to Done",
  "Move T-1 to In Progress, then T-2 to Review, then summarise",
  "What changed?",
  "Build a board for launching a website",
] as const;
