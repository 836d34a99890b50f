// Example requests, shown while the conversation is empty.

export const SUGGESTIONS = [
  "Move dark mode to In Progress",
  "Move every card with priority 1 to Done",
  "Move the launch announcement to In Progress, then move dark mode to Review, then summarise",
  "What changed?",
  "Build a board for launching a website",
] as const;
