// A topic in the forms that sentences need: its name, and the claims of both sides.

export interface Subject {
  /** A noun: "remote work", "the proposal". */
  readonly name: string;
  /** The optimist's claim, a whole clause: "we should say yes to remote work". */
  readonly claim: string;
  readonly denial: string;
}

const MAX_NAME_LENGTH = 60;

export function subjectOf(topic: string): Subject {
  const text = topic
    .trim()
    .replaceAll(/\s+/g, " ")
    .replace(/[\s?!.,;:]+$/, "");
  const should = /^should (.+)$/i.exec(text)?.[1];
  if (should !== undefined) return shouldWe(should);
  if (/^(?:is|are|was|were|am|can|could|will|would|do|does|did|has|have|may|must)\s/i.test(text))
    return { name: "the idea behind it", claim: "the answer is yes", denial: "the answer is no" };
  if (/^(?:what|which|who|why|how|when|where)\b/i.test(text))
    return {
      name: "the obvious answer",
      claim: "there is a good answer and we know most of it",
      denial: "nobody knows the answer yet",
    };
  const [, one, other] = /^(.{1,60}?),? (?:or|vs\.?|versus|against) (.{1,60})$/i.exec(text) ?? [];
  if (one !== undefined && other !== undefined)
    return {
      name: `choosing ${lower(one)}`,
      claim: `we should choose ${lower(one)}`,
      denial: `we should choose ${lower(other)}`,
    };
  if (/\b(?:is|are|was|were|should|must|will|needs?|can|cannot|has|have|beats?)\b/i.test(text) && text.length <= 120)
    return { name: "this claim", claim: `it is true: ${lower(text)}`, denial: `it is not true that ${lower(text)}` };
  if (text.length > MAX_NAME_LENGTH)
    return { name: "this plan", claim: "the answer should be yes", denial: "the answer should be no, for now" };
  const name = lower(text);
  return { name, claim: `we should say yes to ${name}`, denial: `we should not say yes to ${name} yet` };
}

/** "we move to a four-day week" */
function shouldWe(rest: string): Subject {
  const [, who, what] =
    /^(we|i|you|they|people|everyone|everybody|nobody|schools|companies|cities|governments|parents|children|teams)\s+(.+)$/i.exec(
      rest,
    ) ??
    /^(.{1,60}?)\s+((?:be|have|become|get|stay|remain|pay|use|allow|ban)\b.*)$/i.exec(rest) ??
    [];
  if (who === undefined || what === undefined || rest.length > 120)
    return { name: "the proposal", claim: "the answer should be yes", denial: "the answer should be no, for now" };
  const subject = /^i$/i.test(who) ? "you" : lower(who);
  return {
    name: "the proposal",
    claim: `${subject} should ${what}`,
    denial: `${subject} should not ${what}, at least not yet`,
  };
}

/** Lower-cases the first word, unless it is a name or an abbreviation. */
function lower(text: string): string {
  const [first = ""] = text.split(" ");
  const isOrdinary = /^[A-Z][a-z]*$/.test(first) && ORDINARY_WORDS.has(first.toLowerCase());
  return isOrdinary ? first.toLowerCase() + text.slice(first.length) : text;
}

const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that our my your their his her its all every no some many most more less fewer free open public private remote nuclear " +
    "electric universal mandatory basic social online working work school schools cars bikes people we they you everyone everybody nobody " +
    "tabs spaces pineapple homework zoos space artificial self-driving renewable solar wind paper books meetings pair code cities trains " +
    "four-day shorter longer banning moving using building writing reading learning teaching paying raising lowering ending starting"
  ).split(" "),
);
