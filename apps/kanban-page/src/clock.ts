// Times in the reader's own format.

const TIME_FORMAT = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DATE_FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const timeOfDay = (at: string): string => TIME_FORMAT.format(new Date(at));
export const dateAndTime = (at: string): string => DATE_FORMAT.format(new Date(at));
