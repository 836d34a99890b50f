// The five moments: what each is called, what it says without any control, and how it is played.

import grabLines from "../lines/grab-a-card.ts?raw";
import letItTryLines from "../lines/let-it-try.ts?raw";
import askFirstLines from "../lines/make-it-ask-first.ts?raw";
import plugLines from "../lines/pull-the-plug.ts?raw";
import takeBackLines from "../lines/take-back-its-run.ts?raw";
import { fewLines } from "../lines/few-lines.ts";
import { playAskFirst } from "./play-ask-first.ts";
import { playGrab } from "./play-grab.ts";
import { playLetItTry } from "./play-let-it-try.ts";
import { comeBack, playPullThePlug } from "./play-pull-the-plug.ts";
import { playTakeBack } from "./play-take-back.ts";
import type { Stage } from "./stage.ts";

export type MomentId = "grab" | "take-back" | "ask-first" | "plug" | "try";

export interface Moment {
  readonly id: MomentId;
  readonly title: string;
  readonly sentence: string;
  /** The lines of this repository that do it. */
  readonly code: string;
  readonly file: string;
  /** Resolves to what came of it, in a sentence. */
  readonly play: (stage: Stage) => Promise<string>;
  /** Goes on after `stage.reload`. */
  readonly resume?: (stage: Stage) => Promise<string>;
}

const LINES = "apps/demo/src/page/lines/";

export const MOMENTS: readonly Moment[] = [
  {
    id: "grab",
    title: "Grab a card while it works",
    sentence: "You and the agent edit one board at once. It sees your move, and says so.",
    code: fewLines(grabLines),
    file: `${LINES}grab-a-card.ts`,
    play: playGrab,
  },
  {
    id: "take-back",
    title: "Take back its run, keep yours",
    sentence: "One call undoes all that the agent did. What you did meanwhile stays.",
    code: fewLines(takeBackLines),
    file: `${LINES}take-back-its-run.ts`,
    play: playTakeBack,
  },
  {
    id: "ask-first",
    title: "Make it ask first",
    sentence: "It proposes, you decide card by card. It cannot approve its own proposals.",
    code: fewLines(askFirstLines),
    file: `${LINES}make-it-ask-first.ts`,
    play: playAskFirst,
  },
  {
    id: "plug",
    title: "Pull the plug",
    sentence: "Edit offline, reload, come back. Each edit gets a verdict, and a refusal says why.",
    code: fewLines(plugLines),
    file: `${LINES}pull-the-plug.ts`,
    play: playPullThePlug,
    resume: comeBack,
  },
  {
    id: "try",
    title: "Let it try",
    sentence: "The agent works on a branch. You merge the part that you like.",
    code: fewLines(letItTryLines),
    file: `${LINES}let-it-try.ts`,
    play: playLetItTry,
  },
];
