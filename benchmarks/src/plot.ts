// docs/assets/benchmark.svg, the plot in the README: the time of one move over the size of the
// board, both axes logarithmic.

import { writeFileSync } from "node:fs";
import { cardsHead, SIZES } from "./boards/boards.ts";
import { digits } from "./harness/digits.ts";
import { ROW } from "./reducer/movers.ts";
import { FOUND } from "./reducer/reducer.ts";
import { numberAt, readResults, type Results } from "./harness/results.ts";

interface Line {
  readonly label: string;
  readonly kind: "ours" | "hand" | "peer";
  /** Microseconds, by size. */
  readonly times: readonly number[];
}

interface Placed extends Line {
  /** Where its label stands. */
  readonly y: number;
}

const LINES = [
  { row: ROW.clone, label: "structuredClone, full zod parse", kind: "peer" },
  { row: ROW.immer, label: "immer, both patches", kind: "peer" },
  { row: ROW.redux, label: "Redux Toolkit", kind: "peer" },
  { row: ROW.mutative, label: "mutative, both patches", kind: "peer" },
  { row: ROW.whole, label: "opstate, both patches", kind: "ours" },
  { row: ROW.hand, label: "hand-written spreads", kind: "hand" },
] as const;

const WIDTH = 800;
const HEIGHT = 420;
const LEFT = 72;
const RIGHT = 505;
const TOP = 76;
const BOTTOM = 370;
const LABEL_GAP = 17;

/** The tenfold steps from the fastest to the slowest. */
function decades(lines: readonly Line[]): readonly number[] {
  const logs = lines.flatMap(({ times }) => times.map(Math.log10));
  const first = Math.floor(Math.min(...logs));
  return Array.from({ length: Math.ceil(Math.max(...logs)) - first + 1 }, (_, step) => first + step);
}

function draw(results: Results): string {
  const lines = LINES.map(({ row, label, kind }): Line => ({
    label,
    kind,
    times: SIZES.map((cards) => time(results, cards, row)),
  }));
  const steps = decades(lines);
  const [low = 0] = steps;
  const high = steps.at(-1) ?? 1;
  const x = (index: number) => LEFT + (index / (SIZES.length - 1)) * (RIGHT - LEFT);
  const y = (log: number) => BOTTOM - ((log - low) / (high - low)) * (BOTTOM - TOP);
  const grid = steps.map(
    (log) =>
      `<path class="grid" d="M${LEFT} ${y(log)}H${RIGHT}"/>${text(LEFT - 10, y(log) + 4, "tick end", unit(log))}`,
  );
  const sizes = SIZES.map((cards, index) => text(x(index), BOTTOM + 22, "tick middle", cards.toLocaleString("en")));
  const placed = spread(lines.map((line) => ({ ...line, y: y(Math.log10(line.times.at(-1) ?? 1)) })));
  const drawn = placed.map(({ label, kind, times, y: labelY }) => {
    const points = times.map((us, index) => `${x(index).toFixed(1)} ${y(Math.log10(us)).toFixed(1)}`);
    const dots = points.map(
      (point) => `<circle class="${kind}" cx="${point.replace(" ", '" cy="')}" r="${kind === "ours" ? 4 : 2.5}"/>`,
    );
    return `<path class="line ${kind}" d="M${points.join("L")}"/>${dots.join("")}${text(RIGHT + 14, labelY + 4, `label ${kind}`, `${label}, ${duration(times.at(-1) ?? 0)}`)}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    `<title id="title">${placed.map(({ label, times }) => `${label}: ${times.map(duration).join(", ")}`).join("; ")}</title>`,
    STYLE,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="14"/>`,
    text(24, 34, "head", "Move one card, recount its columns"),
    text(24, 54, "tick", "Time per operation by cards on the board; both scales logarithmic; lower is better"),
    ...grid,
    ...sizes,
    ...drawn,
    text((LEFT + RIGHT) / 2, BOTTOM + 42, "tick middle", "cards"),
    "</svg>",
    "",
  ].join("\n");
}

const STYLE = `<style>
svg { font: 13px ui-sans-serif, system-ui, sans-serif; --ground: #fff; --grid: #e6e8ec; --text: #1b1f27; --quiet: #5b6472; --ours: #1f5fd6; --peer: #8a93a3 }
@media (prefers-color-scheme: dark) { svg { --ground: #14171c; --grid: #2a2f38; --text: #eceff4; --quiet: #a0a9b8; --ours: #77a7ff; --peer: #7c8696 } }
.ground { fill: var(--ground) } .grid { stroke: var(--grid) }
text { fill: var(--text) } .head { font-size: 16px; font-weight: 650 } .tick, .label.peer { fill: var(--quiet) }
.middle { text-anchor: middle } .end { text-anchor: end } .label.ours { fill: var(--ours); font-weight: 650 }
.line { fill: none; stroke-width: 1.5; stroke-linejoin: round } .line.peer { stroke: var(--peer) } .line.ours { stroke: var(--ours); stroke-width: 3 }
.line.hand { stroke: var(--text); stroke-dasharray: 5 4 } circle.peer { fill: var(--peer) } circle.ours { fill: var(--ours) } circle.hand { fill: var(--text) }
</style>`;

/** Labels from top to bottom, none on top of another. */
function spread(lines: readonly Placed[]): readonly Placed[] {
  const sorted = lines.toSorted((a, b) => a.y - b.y);
  const middle = sorted.reduce((sum, { y }) => sum + y, 0) / sorted.length;
  let next = Number.NEGATIVE_INFINITY;
  const pushed = sorted.map((line) => {
    next = Math.max(line.y, next + LABEL_GAP);
    return { ...line, y: next };
  });
  const drift = pushed.reduce((sum, { y }) => sum + y, 0) / pushed.length - middle;
  return pushed.map((line) => ({ ...line, y: line.y - drift }));
}

function text(x: number, y: number, style: string, content: string): string {
  return `<text class="${style}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${content}</text>`;
}

function unit(log: number): string {
  return duration(10 ** log);
}

function duration(us: number): string {
  if (us < 1000) return `${digits(us)} µs`;
  return us < 1_000_000 ? `${digits(us / 1000)} ms` : `${digits(us / 1_000_000)} s`;
}

function time(results: Results, cards: number, row: string): number {
  const found = numberAt(results, FOUND, cardsHead(cards), row);
  if (found === undefined)
    throw new Error(`results.json has no "${row}" at ${cardsHead(cards)}: run \`node src/main.ts reducer\` first`);
  return found;
}

writeFileSync(new URL("../../docs/assets/benchmark.svg", import.meta.url), draw(readResults()));
