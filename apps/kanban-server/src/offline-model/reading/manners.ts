// Takes what is said for politeness off a clause: lead-ins ("hey, when you get a chance"), ways to
// ask ("would you mind moving"), and courtesies at the end ("real quick, thx"). What is left is the
// wish alone. A clause that is not understood then is asked back as it was written.

const oneOf = (...phrases: readonly string[]): string => `(?:${phrases.join("|")})`;

const CHANCE = "(?:chance|moment|minute|min|sec|second|time|free (?:moment|minute))";
const COMMAND =
  "(?:move|put|delete|remove|add|create|rename|clear|mark|set|see|show|list|change|make|sort|swap|undo|know|get|drag|send|raise|lower|find|finish|start)";
const QUESTION_WORD = "(?:how|what|which|who|where|when|why)";
const NICE = "(?:nice|great|good|lovely|awesome|cool|helpful|perfect|best|ideal|wonderful)";

const LEAD_IN = oneOf(
  "ok(?:ay)?|(?:nvm|never ?mind|haha+)(?=[,.!])|oh|ugh|argh|damn|alas|yay|phew|ooh|oops|whoops|wait|sorry|actually|hmm+|so|well|hey+|hi+(?: there)?|hello(?: there)?|yo|then|now|also|right|look|listen",
  "um+|uh+|uhm+|er+m*|ah+|anyways?|alrighty|yeah|yep|yup|yes|cool|nice|sure|awesome|perfect|great|alright|all right|excellent",
  "please|pls|plz|kindly|just|quickly|first|firstly|next|afterwards|finally|after that|and(?= (?:while|can|could|please|then|also|now|would)\\b)",
  "sorry (?:for|about) (?:the |that |my |all )*\\w+(?:,? but\\b|(?=[,.!]))|thanks|thank you|thanks,? but|thank you,? but|no problem|no(?=[,.!]| wait| sorry)|go ahead and|maybe|perhaps|possibly",
  "honestly|frankly|basically|to be (?:honest|fair|clear)|tbh|imo|you know(?: what)?|i mean|good news|heads up",
  "(?:my|dear) (?:friend|agent|bot)|agent|bot|guys|team|folks|everyone(?=[,!:])|friend|mate|sir|buddy|dude|man(?=[,!:])",
  "by the way|btw|fyi|same here|(?:one )?(?:more|last|other|small|quick|little) (?:thing|request|favou?r|question)|(?:a )?(?:quick|small|little|tiny|short) (?:one|question|thing|favou?r|request|ask)(?: for you)?",
  "if (?:you (?:can|could|don't mind|have (?:a |the )?CHANCE|get (?:a |the )?CHANCE)|(?:it|that)(?:'s| is) (?:possible|ok(?:ay)?|no trouble|fine|not too much (?:trouble|to ask))|(?:at all )?possible)",
  "when(?:ever)? you(?:'re| are) (?:free|around|back|ready|done)|hope (?:you(?:'re| are)|all is) (?:well|good|fine|ok(?:ay)?)|(?:good )?(?:morning|afternoon|evening)(?: (?:all|everyone|team|folks|there))?(?=[,.!])|next up|here(?:'s| is) the thing",
  "when(?:ever)? you(?:'ve| have)? (?:can|get|got|have|find)(?: (?:a|the|some))?(?: (?:spare|free))?(?: CHANCE)?",
  "(?:ok(?:ay)? )?while (?:you(?:'re| are)|we(?:'re| are)) (?:at it|here)|(?:do me|i need) a favou?r(?: and)?|be a (?:dear|star|darling) and",
  "(?:i|we) (?:think|guess|believe|suppose|reckon|figure|feel like)(?: that)?|(?:i|we)(?:'m| am| was|'ve been| have been|'re| are| were) (?:just )?(?:thinking|wondering)(?: (?:that|if|whether))?(?= |,)",
).replaceAll("CHANCE", CHANCE);

const ASKING = oneOf(
  "(?:can|could|would|will|may|might) (?:you|we|i|u|some(?:one|body)|any(?:one|body))(?: be so kind(?: as)? to| be able to| please)?(?: (?:please|pls|plz|kindly|just|quickly|maybe|perhaps|possibly))?(?: (?:go ahead and|help me(?: to)?))?(?! mind\\b)",
  "(?:i|we)(?:'d| would)? (?:really |just |also )?(?:like|want|need|love|wish|prefer|appreciate)(?: it)?(?: you| for you| u)? to",
  "(?:i|we)(?:'d| would)? (?:really |just |also )?(?:like|want|need|love|wish|prefer|appreciate)(?: it)?,?(?: that| if) (?:you|we)(?: (?:can|could|would|will|should))?",
  "(?:i|we)(?:'m| am| are|'re) (?:going to|gonna) need you to|(?:i|we) (?:wanna|gotta|gonna)|(?:need|want) (?:you )?to",
  "(?:would|do) you mind if (?:i|we) ask(?:ed)? you to|(?:may|can|could) (?:i|we) (?:ask|get|have|trouble) you to",
  "(?:i|we)(?: was| were|'m| am| are|'re) (?:just )?(?:hoping|wondering|thinking)(?: if| that| whether)? (?:you|we) (?:could|can|might|would)",
  "(?:please )?(?:to|you|u) (?=COMMAND\\b)|(?:make|do) (?=(?:move|delete|remove|rename|clear|mark)\\b)",
  "(?:(?:i|we)(?: am| are|'m|'re)? )?(?:want|need|like)(?:ing)? (?:to )?(?=COMMAND\\b)",
  "it(?:'s| is) (?:needed|necessary|required|important|time)(?: for you)? to|(?:it'?s |it is )?(?:about )?time to",
  "(?:your|the|my) (?:job|task|goal|request|wish|next task) is to",
  "(?:i'd|i would|we'd|we would) (?:appreciate it|be (?:very |so |really )?(?:happy|glad|grateful)) if you (?:could|would|can)",
  "(?:any|is there (?:any|a)) (?:chance|way) (?:that )?(?:you|we) (?:could|can)|(?:do )?(?:you )?think (?:you|we) (?:could|can)",
  "it (?:might|may|could|would) be possible (?:for you )?to|(?:(?:is|would) (?:it )?(?:be )?|it(?:'s| is) )possible (?:for you )?to|(?:why|how) (?:don'?t|about) (?:you|we)",
  "(?:feel free|you are welcome|you may want|i (?:ask|beg|order|urge|want) you|you(?:'re| are) (?:asked|to)) (?:to )?",
  "(?:we|you|u|one) (?:should|need to|have to|must|can|could|may|ought to|might as well|better|had better|'d better)(?: (?:please|now|also|just|really|probably|maybe))?",
  "let(?:'s| us)|(?:it|that) would be (?:really |so )?NICE (?:if (?:you|we) could|to)|(?:how|what) (?:about|if) (?:we|you)",
  "(?:please )?(?:ensure|make sure|see to it|be sure|take care)(?: that)? (?!to\\b)",
  "(?:do|make sure to|be sure to|try to|help me(?: to)?|go and|just go|don'?t forget to|remember to) (?=(?:move|remove|delete|add|create|rename|clear|mark|put|sort|start|finish|send|bring|get)\\b)",
  "(?:(?:tell|let|show|ask) (?:me|us)(?: know)?|show|tell)[,:]? (?=(?:QUESTION|is|are|whether)\\b)",
  "(?:do you (?:happen to )?know|any idea|i wonder|i(?:'m| am) wondering|i'd like to know|i want to know|can you (?:say|tell)|just curious[,:]?|remind me|check|see|find out|know|(?:can|could) you say|say(?: me| to me)?) (?:me )?(?=QUESTION\\b)",
)
  .replaceAll("COMMAND", COMMAND)
  .replaceAll("QUESTION", QUESTION_WORD)
  .replaceAll("NICE", NICE);

/** Vocatives and cries follow a comma: "thank the team" is a title. */
const COURTESY = oneOf(
  "please|pls|plz|thanks|thank you|thx|tks|tnx|cheers|for me|for us|for now|right now|asap|from now on|from here on|a\\.s\\.a\\.p|right away|immediately|at once|by now|real(?:ly)? quick(?:ly)?",
  "kindly action|at your earliest convenience|if that(?:'?s| is) (?:ok(?:ay)?|possible|fine|alright)|if it(?:'?s| is) (?:ok(?:ay)?|possible|no trouble|not too much trouble)|if that works",
  "thanks in advance|many thanks|thanks (?:so much|a (?:lot|bunch|million))|ta|too|as well|if you (?:would|can|could|don'?t mind|please)|if possible|when(?:ever)? you (?:can|could)",
  "when(?:ever)? you (?:get|have|find|got)(?: (?:a|the|some))? CHANCE|would you|will you|can you|could you|ok(?:ay)?|my friend|buddy|mate|no rush|no hurry|altogether|once and for all",
  "(?<=,\\s*)(?:team|folks|guys|everyone|dude|man|yay|woohoo|hooray|finally|i think|i guess|i suppose|i believe|right(?=\\s*\\?)|yeah(?=\\s*\\?)|eh)",
).replaceAll("CHANCE", CHANCE);

const OPENINGS = new RegExp(`^(?:${LEAD_IN}(?:[,!:.…]+|\\s+-+)*\\s+)+(?=\\S)`, "i");
const ASKED = new RegExp(`^${ASKING}(?:\\s+|(?<=\\s))`, "i");
const CLOSINGS = new RegExp(`(?<=\\S)(?:[\\s,.!?]+${COURTESY})*[\\s.!?,]*$`, "i");

/** "would you mind moving", "how about moving" */
const GERUND =
  /^(?:(?:would|do) (?:you|u) (?:mind|be ok(?:ay)? with)|mind|care to|(?:how|what) about|(?:i|we)(?:'d| would)? (?:suggest|propose|recommend)|consider|try|start by|let's try)\s+(?:please )?(\w+)ing\b\s*/i;
/** Verbs that lose an "e" before "ing". */
const LOSES_E =
  /^(?:mov|renam|remov|delet|plac|creat|prioriti[sz]|mak|tak|giv|rais|chang|updat|eras|archiv|restor|complet|revers|organi[sz]|shov|escalat)$/i;
/** Written without an apostrophe. */
const SHORTENED = /^(what|where|who|how|when|that|let|it)s(?=\s)/i;

const SMILEY = /\s*(?:[:;]-?[)(DP]+|<3|\^\^|\p{Extended_Pictographic}\uFE0F?)+(?=\s|$)/gu;

export const withoutSmileys = (text: string): string => text.replaceAll(SMILEY, "").trim();

export function withoutManners(clause: string): string {
  let text = withoutSmileys(clause).replaceAll("’", "'").replace(SHORTENED, "$1's");
  for (let left = ""; left !== text;) {
    left = text;
    text = text.replace(OPENINGS, "").replace(GERUND, imperative).replace(ASKED, "").replace(CLOSINGS, "").trim();
    text = text.replace(SHORTENED, "$1's").replace(/^(\w+(?:\s+(?:me|us))?)\s+(?:please|pls|plz|kindly)\s+/i, "$1 ");
  }
  return text;
}

/** "moving" is "move", "putting" is "put", "adding" is "add". */
function imperative(_: string, stem: string): string {
  if (LOSES_E.test(stem)) return `${stem}e `;
  return /([tpg])\1$/i.test(stem) ? `${stem.slice(0, -1)} ` : `${stem} `;
}
