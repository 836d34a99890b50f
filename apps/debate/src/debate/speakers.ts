// The speakers of a debate: three agents, and the person who watches.

export const DEBATERS = ["optimist", "skeptic"] as const;
export const SPEAKERS = [...DEBATERS, "moderator", "person"] as const;

export type Debater = (typeof DEBATERS)[number];
export type Speaker = (typeof SPEAKERS)[number];
/** The speakers that are agents. */
export type Agent = Exclude<Speaker, "person">;

export const isDebater = (speaker: Speaker): speaker is Debater => speaker !== "moderator" && speaker !== "person";
export const isSpeaker = (value: unknown): value is Speaker => SPEAKERS.some((speaker) => speaker === value);
