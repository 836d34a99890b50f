// What people say to any agent that is no request: a table of it, with the answers. The board's and
// the debate's offline models read it (the debate for remarks of its audience). A new line is a new
// row. The questions to both, which each answers in its own words, is in `common-intents.ts`.

import { otherLanguage } from "./other-language.ts";

export interface Talk {
  readonly name: string;
  /** Texts that it fits, and that a test reads. */
  readonly examples: readonly string[];
  readonly fits: RegExp;
  readonly answer: string;
}

const END =
  "(?:[\\s,]+(?:there|agent|bot|everyone|all|again|a lot|so much|very much|a bunch|for (?:that|this|your help|everything|the help|\\w+ing (?:it|that|this|them|me|us))|man|mate))*[\\s.!?]*$";
const begins = (words: string): RegExp =>
  new RegExp(`^(?:(?:ok(?:ay)?|oh|ah|well|wow|cool|great|nice|perfect|yes|no)[\\s,!.]+)*(?:${words})${END}`, "i");

export const TALK: readonly Talk[] = [
  {
    name: "thanks",
    examples: ["thanks!", "Thank you so much", "great, thx", "cheers"],
    fits: begins(
      "(?:many |much )?(?:thanks|thank you|thank u|thx|ty|cheers|much appreciated|i appreciate (?:it|that))",
    ),
    answer: "You are welcome.",
  },
  {
    name: "praise",
    examples: ["great job", "well done", "you are awesome", "youre a star", "that worked"],
    fits: begins(
      "(?:very |really )?(?:good|great|nice|excellent|amazing|awesome|fantastic|brilliant|lovely|super|wonderful)(?: (?:job|work|one|stuff|answer))?|well done|(?:i )?(?:really |just )?(?:love|like|adore) (?:it|this|that|you)(?: board| demo| tool| app)?|you(?:'re| are) (?:the best|great|good|awesome|amazing|brilliant|smart|clever|so \\w+)|you(?:'?re| are) an? (?:\\w+ )?(?:star|legend|gem|genius|hero|angel|champ|lifesaver|life saver|treasure|wizard|pro)|that(?:'s| is| was) (?:great|perfect|right|correct|it|better|nice|good)|(?:that|it) work(?:s|ed)|perfect|impressive",
    ),
    answer: "Thank you, glad to help.",
  },
  {
    name: "blame",
    examples: ["you are useless", "this is stupid", "that is not what I asked for"],
    fits: begins(
      "(?:you(?:'re| are)|this is|that(?:'s| is| was)) (?:so |really |totally |completely )?(?:useless|stupid|dumb|bad|terrible|awful|horrible|silly|rubbish|annoying|not (?:helpful|good|what i (?:asked(?: for)?|meant|wanted|said)))|you suck|i hate (?:you|this)|bad (?:bot|agent)",
    ),
    answer: "I am sorry. I am a small model made of rules, and know only plain requests.",
  },
  {
    name: "greeting",
    examples: ["hi", "Hello there", "good morning!"],
    fits: begins(
      "hi+|hello|hey+|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|how are you(?: doing)?(?: today)?|what'?s up",
    ),
    answer: "Hello.",
  },
  {
    name: "farewell",
    examples: ["bye", "see you later"],
    fits: begins("(?:good)?bye|see (?:you|ya)(?: later| tomorrow| soon)?|good night|that(?:'s| is| will be) all"),
    answer: "Goodbye.",
  },
  {
    name: "who",
    examples: ["who are you?", "are you a real AI?", "what model is this?", "are you human"],
    fits: begins(
      "(?:who|what)(?: are|'re) you|(?:what'?s|what is) your name|are you (?:a |an )?(?:real |actual |true )?(?:\\w+)|is this (?:a |an )?(?:real )?(?:ai|llm|model|person|human|bot|chat ?gpt)|(?:what|which) (?:ai |language )?(?:model|llm|ai) (?:is this|are you|do you use)|who (?:made|built|wrote) you",
    ),
    answer: "No language model answers here: I am the offline model of this demo, an agent made of rules.",
  },
  {
    name: "consent",
    examples: ["ok", "all right", "yes please", "got it"],
    fits: begins(
      "ok(?:ay)?|k|all ?right|fine|sure|yes(?: please)?|yep|yeah|no|nope|got it|i see|understood|makes sense|hm+|aha?|cool",
    ),
    answer: "All right.",
  },
  {
    name: "refrain",
    examples: [
      "never mind",
      "forget it",
      "do not do anything",
      "please don't delete anything",
      "stop",
      "no!! don't",
      "leave it",
    ],
    fits: /^(?:(?:please|no|ok(?:ay)?|oh|and|wait)[\s,!.]+)*(?:don'?t|do not|never ?mind|nvm|nm|forget (?:it|that|about it)|(?:stop|cancel|wait|abort)(?: (?:it|that|this|now|please))?|leave (?:it|that|everything)(?: (?:alone|be|as (?:it|they) (?:is|are|was)))?|(?:do|move|change|delete|remove|touch|add|clear)? ?nothing|(?:let|keep|leave) (?!only\b|just\b|nothing\b)(?:(?!\band\b|\bbut\b|,).)+ (?:be|alone|untouched|as (?:it|they) (?:is|are)|(?:where|how) (?:it|they) (?:is|are))|(?:do not|don't|dont|never) (?!(?:let (?:me|us) )?forget\b)(?:(?!\bbut\b|\binstead\b|\bthen\b|,|;|\band\b).)+)[\s.!?]*$/i,
    answer: "All right, I leave everything as it is.",
  },
];

/** What is answered to a text that is no request; undefined if it may be one. */
export function smallTalk(text: string): Talk | undefined {
  return TALK.find(({ fits }) => fits.test(text.trim()));
}

export const ENGLISH_ONLY = "I am sorry, I understand English only.";

/** What is answered to a text in another language; undefined if it may be English. */
export const answerInEnglish = (text: string): string | undefined => (otherLanguage(text) ? ENGLISH_ONLY : undefined);
