// The memory of a server over a soak, as a picture, with the load that it had.

import type { SteadyMinute } from "./steady-soak.ts";

const WIDTH = 800;
const HEIGHT = 320;
const LEFT = 72;
const RIGHT = 660;
const TOP = 84;
const BOTTOM = 262;

const STYLE = `<style>
svg { font: 13px ui-sans-serif, system-ui, sans-serif; --ground: #fff; --grid: #e6e8ec; --text: #1b1f27; --quiet: #5b6472; --ours: #1f5fd6; --other: #8a93a3 }
@media (prefers-color-scheme: dark) { svg { --ground: #14171c; --grid: #2a2f38; --text: #eceff4; --quiet: #a0a9b8; --ours: #77a7ff; --other: #7c8696 } }
.ground { fill: var(--ground) } .grid { stroke: var(--grid) }
text { fill: var(--text) } .head { font-size: 16px; font-weight: 650 } .tick, .label.other { fill: var(--quiet) }
.middle { text-anchor: middle } .end { text-anchor: end } .label.ours { fill: var(--ours); font-weight: 650 }
.line { fill: none; stroke-linejoin: round } .ours.line { stroke: var(--ours); stroke-width: 3 } .other.line { stroke: var(--other); stroke-width: 1.5 }
</style>`;

/** An SVG: megabytes of the process and of its heap, minute by minute. */
export function plot(minutes: readonly SteadyMinute[]): string {
  const most = Math.max(...minutes.map(({ memory }) => megabytes(memory)));
  const top = Math.ceil(most / 100) * 100;
  const x = (index: number) => LEFT + (index / Math.max(1, minutes.length - 1)) * (RIGHT - LEFT);
  const y = (value: number) => BOTTOM - (value / top) * (BOTTOM - TOP);
  const line = (kind: string, values: readonly number[]) =>
    `<path class="line ${kind}" d="M${values.map((value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}"/>`;
  const memory = minutes.map((minute) => megabytes(minute.memory));
  const heap = minutes.map((minute) => megabytes(minute.heap));
  const steps = [0, top / 2, top];
  const grid = steps.map(
    (step) =>
      `<path class="grid" d="M${LEFT} ${y(step)}H${RIGHT}"/>${text(LEFT - 10, y(step) + 4, "tick end", `${step} MB`)}`,
  );
  const ticks = minutes
    .map((_, index) => index)
    .filter((index) => (index + 1) % 10 === 0)
    .map((index) => text(x(index), BOTTOM + 22, "tick middle", String(index + 1)));
  const total = (pick: (minute: SteadyMinute) => number) => minutes.reduce((sum, minute) => sum + pick(minute), 0);
  const load = [
    `${count(total(({ answered }) => answered))} operations`,
    `${count(total(({ delivered }) => delivered))} delivered to readers`,
    `${count(total(({ connections }) => connections))} connections`,
  ].join(", ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    `<title id="title">Memory of the server, minute by minute: ${memory.map(Math.round).join(", ")} MB</title>`,
    STYLE,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="14"/>`,
    text(24, 34, "head", "A server under a steady load: its memory"),
    text(24, 54, "tick", load),
    ...grid,
    ...ticks,
    line("other", heap),
    line("ours", memory),
    text(RIGHT + 14, y(memory.at(-1) ?? 0) + 4, "label ours", `${Math.round(memory.at(-1) ?? 0)} MB, process`),
    text(RIGHT + 14, y(heap.at(-1) ?? 0) + 4, "label other", `${Math.round(heap.at(-1) ?? 0)} MB, heap`),
    text((LEFT + RIGHT) / 2, BOTTOM + 42, "tick middle", "minutes"),
    "</svg>",
    "",
  ].join("\n");
}

function megabytes(bytes: number): number {
  return bytes / 1_000_000;
}

function count(value: number): string {
  return value >= 1_000_000 ? `${(value / 1_000_000).toFixed(1)} million` : value.toLocaleString("en");
}

function text(x: number, y: number, style: string, content: string): string {
  return `<text class="${style}" x="${x.toFixed(1)}" y="${y.toFixed(1)}">${content}</text>`;
}
