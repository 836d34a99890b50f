// Ten angles for any topic. Each has a point with a reason for both debaters, and a theme for the
// moderator.

export interface Angle {
  readonly theme: string;
  readonly pro: string;
  readonly proWhy: string;
  readonly con: string;
  readonly conWhy: string;
  /** The question that both sides leave open. */
  readonly open: string;
}

export const ANGLES: readonly ((name: string) => Angle)[] = [
  (name) => ({
    theme: "cost",
    pro: `The price of ${name} is paid once, and what it gives comes back every year.`,
    proWhy: "Waiting has a price too: it is only spread so thin that nobody sends the bill.",
    con: "The costs come first and are certain, while the gains come later and are hoped for.",
    conWhy: "About 70 percent of big plans cost more than they were said to.",
    open: "who pays in the first year, and from what",
  }),
  (name) => ({
    theme: "the people it touches",
    pro: `Many of those who would live with ${name} every day are asking for it.`,
    proWhy: "People often adapt faster than those who plan for them believe.",
    con: `Those who carry the burden of ${name} are never the ones who decide about it.`,
    conWhy: "Some will gain and some will lose, and the losers can seldom say so in time.",
    open: "who loses, and what they are offered",
  }),
  (name) => ({
    theme: "evidence",
    pro: `Where something like ${name} was tried in earnest, it was seldom taken back.`,
    proWhy: "Studies show that first doubts fade once there is something to look at.",
    con: "The examples that we hear of are the ones that went well.",
    conWhy: "Nobody writes a report about what quietly failed.",
    open: "which result would change either side's mind",
  }),
  (name) => ({
    theme: "risk",
    pro: `The risk in ${name} can be kept small: try it in one place, measure, and go on only then.`,
    proWhy: "A trial that fails early is cheap, and teaches more than another year of talk.",
    con: "A small trial hides the very risk that matters, because that one appears at scale.",
    conWhy: "What works with ten volunteers will not work with ten thousand who did not ask for it.",
    open: "how large a trial has to be before it proves anything",
  }),
  (name) => ({
    theme: "habits",
    pro: `We call the present arrangement natural only because we are used to it, and ${name} would soon be natural too.`,
    proWhy: "Most things that are ordinary today were resisted when they were new.",
    con: "Habits are a store of lessons that somebody paid for.",
    conWhy: "What everybody does is often done for a reason that shows only when it is gone.",
    open: "which present habit is worth keeping, and why",
  }),
  (name) => ({
    theme: "fairness",
    pro: `${capital(name)} would give to many what only a few can afford today.`,
    proWhy: "An advantage that can be shared and is not shared needs a defence.",
    con: "An equal rule for unequal people is not fair, it is only simple.",
    conWhy: "Those with time and money will always find the best seats first.",
    open: "what a fair start would look like for those with the least",
  }),
  (name) => ({
    theme: "what it crowds out",
    pro: `The attention that ${name} takes is attention that now goes into working around the problem.`,
    proWhy: "Repairs without an end are often the largest hidden cost of all.",
    con: `Every hour that goes into ${name} is an hour that goes into nothing else.`,
    conWhy: "There are duller remedies, and some of them can be had this month.",
    open: "what would not be done because of it",
  }),
  (name) => ({
    theme: "time",
    pro: `Beginning with ${name} now and correcting it later is easier than beginning later and hurrying.`,
    proWhy: "The conditions will not be better in five years just because we waited.",
    con: "A good idea at the wrong moment is a bad idea.",
    conWhy: "Those who arrive second can copy the solution without paying for the mistakes.",
    open: "what exactly would be better about waiting",
  }),
  (name) => ({
    theme: "turning back",
    pro: `If ${name} disappoints, we can return to what we had, and we will know more than today.`,
    proWhy: "Few decisions are as final as they feel on the day before.",
    con: "On paper everything can be undone, and in practice nothing ever is.",
    conWhy: "Once people and budgets depend on it, going back will be called impossible.",
    open: "who may call it off, and by which date",
  }),
  (name) => ({
    theme: "side effects",
    pro: `The best effects of ${name} may be those that nobody is promising.`,
    proWhy: "When one thing becomes easier, people often find uses for it that no plan foresaw.",
    con: `The worst effects of ${name} may be those that nobody is discussing.`,
    conWhy: "Systems push back, and usually at a point where no one is looking.",
    open: "which side effect to watch for first",
  }),
];

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
