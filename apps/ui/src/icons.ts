// The icons of the demos as paths on a 16 by 16 grid, in the text's colour. They are decoration
// beside words.

export const ICONS = {
  arrow: "M3 8h10M9 4l4 4-4 4",
  back: "m10 4-4 4 4 4",
  board:
    "M3.500 2.500H6a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H3.500a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM10 2.500h2.500a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H10a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z",
  branch:
    "M6.500 3.500a1.500 1.500 0 1 1-3 0 1.500 1.500 0 0 1 3 0zM6.500 12.500a1.500 1.500 0 1 1-3 0 1.500 1.500 0 0 1 3 0zM12.500 6a1.500 1.500 0 1 1-3 0 1.500 1.500 0 0 1 3 0zM5 5v6M11 7.500c0 2.500-6 1-6 3.500",
  chat: "M8 2.500 13.500 8 8 13.500 2.500 8z",
  check: "m3.500 8.500 3 3 6-7",
  chevron: "m6 4 4 4-4 4",
  clock: "M13.500 8a5.500 5.500 0 1 1-11 0 5.500 5.500 0 0 1 11 0zM8 5v3l2 1.500",
  cross: "m4.500 4.500 7 7m0-7-7 7",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  pencil: "m10.500 3 2.500 2.500L6 12.500l-3.200.700.700-3.200z",
  plus: "M8 3.500v9M3.500 8h9",
  question: "M5.500 5.800A2.600 2.600 0 1 1 8 9v1.200M8 13v.1",
  redo: "m10 3 3 3-3 3M13 6H6.500a3.500 3.500 0 0 0 0 7H9",
  send: "M8 13V3.500M4 7l4-4 4 4",
  stop: "M5.500 4.500h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1z",
  timeline: "M4 2.500v11M7.500 4h6M7.500 8h6M7.500 12h4",
  tree: "M3 3.500h10M6 8h7M6 12.500h7M3 3.500v9h1.500M3 8h1.500",
  undo: "M6 3 3 6l3 3M3 6h6.500a3.500 3.500 0 0 1 0 7H7",
  warning: "M8 2.500 14 13.500H2zM8 6.800v3M8 11.700v.1",
} as const;

export type IconName = keyof typeof ICONS;
