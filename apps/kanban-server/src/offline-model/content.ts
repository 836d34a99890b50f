// The content of a new board about a topic: realistic cards from the theme that fits best.

import { boardFrom, sampleBoard } from "@opstate/kanban-domain";

type Priority = 1 | 2 | 3 | 4;
type Draft = readonly [title: string, priority: Priority];

interface Theme {
  readonly fits: RegExp;
  readonly cards: (topic: string) => readonly Draft[];
}

const THEMES: readonly Theme[] = [
  {
    fits: /\b(?:web ?sites?|web ?pages?|landing page|blog|online shop|web ?shop|portfolio|homepage)\b/i,
    cards: () => [
      ["Agree on who the site is for and what they should do there", 1],
      ["Sketch the page structure", 1],
      ["Register the domain", 2],
      ["Write the words for the home page", 2],
      ["Choose type, colours and pictures", 3],
      ["Build the home page", 2],
      ["Build the contact form", 3],
      ["Make it work on a phone", 1],
      ["Check keyboard use and contrast", 2],
      ["Set up hosting and a certificate", 2],
      ["Add a privacy page", 3],
      ["Ask five people to try it", 2],
      ["Announce the launch", 3],
    ],
  },
  {
    fits: /\b(?:app|product|feature|software|startup|saas|mvp|release|launch|sprint|prototype|game)\b/i,
    cards: (topic) => [
      [`Write down the problem that ${topic} solves`, 1],
      ["Talk to five people who have that problem", 1],
      ["Cut the first version down to one job", 1],
      ["Draw the three main screens", 2],
      ["Choose the stack and set up the repository", 2],
      ["Build the main flow from end to end", 1],
      ["Sign-in and accounts", 3],
      ["Error messages that help", 2],
      ["Tests for what must never break", 2],
      ["Measure how it is used", 4],
      ["Pricing and terms", 3],
      ["Invite ten beta users", 2],
      ["Write the release notes", 3],
    ],
  },
  {
    fits: /\b(?:wedding|party|birthday|anniversary|celebration|dinner|festival|reunion)\b/i,
    cards: () => [
      ["Set the date and the budget", 1],
      ["Write the guest list", 1],
      ["Visit and book the place", 1],
      ["Send the invitations", 2],
      ["Choose the food and drinks", 2],
      ["Ask who eats what", 3],
      ["Book music", 2],
      ["Plan the seating", 3],
      ["Flowers and decoration", 4],
      ["Find a photographer", 3],
      ["Arrange the way home for guests", 3],
      ["Write the schedule of the day", 2],
      ["Send thank-you notes", 4],
    ],
  },
  {
    fits: /\b(?:conference|meetup|event|workshop|hackathon|webinar|offsite|summit)\b/i,
    cards: (topic) => [
      [`Say in one sentence what ${topic} is for`, 1],
      ["Set the date, the size and the budget", 1],
      ["Book the venue", 1],
      ["Invite the speakers", 1],
      ["Open registration", 2],
      ["Find sponsors", 3],
      ["Publish the programme", 2],
      ["Order food for every diet", 3],
      ["Test sound and screens", 2],
      ["Recruit helpers and give them a plan", 2],
      ["Write the code of conduct", 2],
      ["Make name badges", 4],
      ["Collect feedback afterwards", 3],
    ],
  },
  {
    fits: /\b(?:trip|travel|travelling|traveling|holiday|vacation|journey|visit|hike|hiking|camping|road trip)\b/i,
    cards: () => [
      ["Check passports and visas", 1],
      ["Agree on dates and budget", 1],
      ["Book the way there and back", 1],
      ["Book the first nights", 2],
      ["Mark what to see on a map", 3],
      ["Travel insurance", 2],
      ["Ask the doctor about vaccinations", 2],
      ["Find someone for plants and post", 3],
      ["Tell the bank about the trip", 4],
      ["Write the packing list", 3],
      ["Download maps and tickets", 3],
      ["Reserve one very good dinner", 4],
      ["Sort the pictures afterwards", 4],
    ],
  },
  {
    fits: /\b(?:mov(?:e|ing)|relocat\w*|new (?:flat|house|home|apartment|office)|renovat\w*)\b/i,
    cards: () => [
      ["Fix the day and tell everyone involved", 1],
      ["Give notice on the old place", 1],
      ["Compare three moving companies", 2],
      ["Measure doors, lifts and furniture", 2],
      ["Order boxes and tape", 2],
      ["Give away what stays unused", 3],
      ["Redirect the post", 2],
      ["Transfer power, water and internet", 1],
      ["Pack a first-night box", 3],
      ["Label every box with its room", 3],
      ["Write down the meter readings", 2],
      ["Repair and clean the old place", 2],
      ["Register the new address", 1],
    ],
  },
  {
    fits: /\b(?:hir(?:e|ing)|recruit\w*|onboarding|interviews?|new colleague|team)\b/i,
    cards: () => [
      ["Write what the person will have done after a year", 1],
      ["Agree on the salary range", 1],
      ["Publish the job advert", 2],
      ["Ask the team for introductions", 2],
      ["Prepare the same questions for everyone", 1],
      ["Read applications within two days", 2],
      ["Plan the interviews", 2],
      ["Prepare a small work sample", 3],
      ["Call references", 3],
      ["Write the offer", 2],
      ["Answer everyone who did not get it", 2],
      ["Prepare laptop and accounts", 3],
      ["Plan the first week", 3],
    ],
  },
  {
    fits: /\b(?:learn\w*|stud(?:y|ying)|exam|course|thesis|degree|language|homework|class)\b/i,
    cards: (topic) => [
      [`Say what being able to do ${topic} looks like`, 1],
      ["Choose one book or course, not five", 1],
      ["Block four hours a week", 1],
      ["Work through the basics", 2],
      ["Make cards for what must be known by heart", 3],
      ["Do one small project", 2],
      ["Find someone to learn with", 3],
      ["Explain the hardest part to a friend", 2],
      ["Try an old exam", 2],
      ["List what is still unclear", 2],
      ["Ask a teacher about it", 3],
      ["Repeat after a week and after a month", 3],
      ["Celebrate", 4],
    ],
  },
  {
    fits: /\b(?:book|novel|article|essay|paper|podcast|newsletter|video|course material|writing|album)\b/i,
    cards: (topic) => [
      [`Write in one sentence what ${topic} is about`, 1],
      ["Describe one reader and what they need", 1],
      ["Collect notes and sources", 2],
      ["Make an outline", 1],
      ["Write a bad first draft", 1],
      ["Let it rest for three days", 4],
      ["Cut a third", 2],
      ["Read it aloud", 3],
      ["Ask two people to read it", 2],
      ["Check names, numbers and rights", 2],
      ["Choose the title", 3],
      ["Make the cover picture", 3],
      ["Publish and tell people", 2],
    ],
  },
  {
    fits: /\b(?:marketing|campaign|advert\w*|sales|brand|social media|seo)\b/i,
    cards: () => [
      ["Name the one number that should move", 1],
      ["Describe the people it is for", 1],
      ["Write the message in ten words", 1],
      ["Look at what worked last time", 2],
      ["Choose two channels and leave the rest", 2],
      ["Set the budget", 2],
      ["Write three versions of the text", 2],
      ["Make the pictures", 3],
      ["Build the landing page", 2],
      ["Check the legal side", 3],
      ["Start small and measure", 2],
      ["Stop what does not work", 2],
      ["Write down what was learned", 3],
    ],
  },
];

const ANY_TOPIC: Theme["cards"] = (topic) => [
  [`Say what "${topic}" looks like when it is done`, 1],
  ["List who is involved and what each expects", 1],
  ["Set a date and a budget", 1],
  ["Find the riskiest part and try it first", 1],
  ["Look at how others did it", 3],
  ["Write down the steps", 2],
  ["Decide who does what", 2],
  ["Get what is needed", 2],
  ["Do the first step", 2],
  ["Show it to someone and ask what is missing", 2],
  ["Fix what they found", 3],
  ["Tell everyone that it is done", 3],
  ["Note what to do better next time", 4],
];

// A new board has the sample's card ids, so the ids in the examples (T-42) are on every board.
const CARD_IDS = sampleBoard.columns
  .flatMap(({ cards }) => cards.map((card) => card.cardId))
  .sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));

/**
 * A board about a topic, as the value of a replacement. Two cards are in the second column, the
 * others in the first.
 */
export function boardAbout(topic: string, titles: readonly string[] = ["Backlog", "In Progress", "Review", "Done"]) {
  const subject = topic.trim().slice(0, 100) || "this";
  const theme = THEMES.find(({ fits }) => fits.test(subject));
  const cards = (theme?.cards ?? ANY_TOPIC)(subject).map(([title, priority], i) => ({
    cardId: CARD_IDS[i] ?? `T-${100 + i}`,
    title,
    priority,
  }));
  const started = titles.length > 1 ? 2 : 0;
  const board = boardFrom({
    columns: titles.map((title, i) => ({
      title,
      cards: i === 0 ? cards.slice(started) : i === 1 ? cards.slice(0, started) : [],
    })),
  });
  // Without the counts: they are derived.
  return { columns: board.columns.map(({ columnId, title, cards }) => ({ columnId, title, cards })) };
}
