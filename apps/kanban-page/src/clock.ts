// When something happened, as its reader writes it.

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const timeOfDay = (at: string): string => clock.format(new Date(at));
export const dateAndTime = (at: string): string => calendar.format(new Date(at));
