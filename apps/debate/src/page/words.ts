// Names and number formats of the page.

import type { Fact, Turn } from "../debate/state.ts";
import type { Speaker } from "../debate/speakers.ts";

export const SPEAKER_NAMES: Readonly<Record<Speaker, string>> = {
  optimist: "Optimist",
  skeptic: "Skeptic",
  moderator: "Moderator",
  person: "You",
};

export const LABEL_NAMES: Readonly<Record<Fact["label"], string>> = {
  plausible: "Plausible",
  overstated: "Overstated",
  unsourced: "No source",
  prediction: "Prediction",
  wrong: "Wrong",
};

const TIME_FORMAT = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const NUMBER_FORMAT = new Intl.NumberFormat("en");

export const timeOf = (iso: string): string => (iso === "" ? "" : TIME_FORMAT.format(new Date(iso)));
export const amount = (number: number): string => NUMBER_FORMAT.format(number);
export const tokens = (number: number): string => `${amount(number)} ${number === 1 ? "token" : "tokens"}`;

/** "4.2 s" or "2 min 5 s" */
export function duration(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export const turnTime = ({ startedAt, endedAt }: Turn): string => duration(startedAt, endedAt);
