// What a commit would do on another line, in plain words: why it is named and not done again.
//
//   would move "Send invoices" (T-31) instead of "Pay rent" (T-4)
//   would be refused: No card "T-4"
//   would set "name" of "Ada" (u-1) to "Bo"; "Eve" (u-2) has the value already

import {
  type Effect,
  locate,
  type Name,
  type NamedState,
  ownerOf,
  thingOf,
  type ThingModel,
  valueOf,
} from "../../engine/things/index.ts";
import { isContainer, isObject } from "../../json/container.ts";
import { cut } from "../../json/describe.ts";
import { equal } from "../../json/equal.ts";
import { idKeyOf } from "../../json/id-key.ts";
import type { Fault, Found } from "./again.ts";

/** `recorded`: what the commit did. `to`: the state without what is undone. */
export function wouldDo(model: ThingModel, found: Found, recorded: Effect, to: NamedState): string {
  const text = sentence(model, found, recorded, to);
  return cut(text, 200);
}

function sentence(model: ThingModel, found: Found, recorded: Effect, to: NamedState): string {
  switch (found.how) {
    case "refused":
      return `would be refused: ${found.rejection.message}`;
    case "unfit":
      return faultText(model, found.fault, recorded, to);
    case "less":
    case "other": {
      const now = deeds(model, found.effect);
      const then = deeds(model, recorded);
      const instead = now === then ? "" : ` instead of ${insteadOf(model, found.effect, recorded, now, then)}`;
      const fault =
        found.fault === undefined || found.fault.why === "gone" ? "" : `; ${shortFault(model, found.fault, to)}`;
      return now === "" ? `would do nothing; it did ${then}` : `would ${now}${instead}${fault}`;
    }
  }
}

/** The part of what was done that differs from what would be done. */
function insteadOf(model: ThingModel, effect: Effect, recorded: Effect, now: string, then: string): string {
  const [other, own] = [onlySet(effect), onlySet(recorded)];
  // The same field of another thing, with the same value: the thing says it all.
  if (other !== undefined && own !== undefined && equal(other.value, own.value, Infinity)) {
    const [thing, field] = thingAndField(model, recorded.before, own.place);
    if (thing !== "" && field !== "" && thingAndField(model, effect.before, other.place)[1] === field)
      return label(model, recorded.before, thing);
  }
  const verb = /^\w+ /.exec(now)?.[0] ?? "";
  return verb !== "" && then.startsWith(verb) ? then.slice(verb.length) : then;
}

function faultText(model: ThingModel, fault: Fault, recorded: Effect, to: NamedState): string {
  return `cannot ${deeds(model, recorded) || "be done"} again: ${shortFault(model, fault, to, recorded)}`;
}

function shortFault(model: ThingModel, fault: Fault, to: NamedState, recorded?: Effect): string {
  switch (fault.why) {
    case "schema":
      return fault.rejection.message;
    case "gone":
      return `${label(model, recorded?.before ?? to, fault.thing)} would not be there`;
    case "changed":
      return `${label(model, to, fault.thing)} would not be what it was then`;
    case "occupied":
      return `${label(model, to, fault.thing)} has the value already`;
  }
}

/** The first thing that an effect did, in words; "" for nothing. */
function deeds(model: ThingModel, effect: Effect): string {
  const { before, after, sets, born, removed, moved, ordered, values } = effect;
  const done: string[] = [];
  for (const { content } of born) done.push(`add ${labelOf(content)}`);
  for (const [name, list] of removed) if (list !== undefined) done.push(`remove ${label(model, before, name)}`);
  for (const name of moved.keys()) done.push(`move ${label(model, before, name)}`);
  for (const [place, { after: value }] of sets) done.push(setText(model, before, place, value));
  for (const [list, changed] of values) {
    for (const value of changed.added) done.push(`add ${JSON.stringify(value)} to ${place(model, after, list)}`);
    for (const value of changed.removed) done.push(`remove ${JSON.stringify(value)} from ${place(model, after, list)}`);
  }
  for (const list of ordered) done.push(`order ${place(model, after, list)}`);
  const [first] = done;
  if (first === undefined) return "";
  return done.length === 1 ? first : `${first} and ${done.length - 1} more`;
}

function setText(model: ThingModel, named: NamedState, name: Name, value: unknown): string {
  const where = place(model, named, name);
  if (value === undefined) return `remove ${where}`;
  return `set ${where} to ${isContainer(value) ? labelOf(value) : JSON.stringify(value)}`;
}

/** The place that an effect wrote to, where it did nothing else. */
function onlySet(effect: Effect): { readonly place: Name; readonly value: unknown } | undefined {
  const { sets, born, removed, moved, ordered, values } = effect;
  if (sets.size !== 1 || born.length + removed.size + moved.size + ordered.size + values.size > 0) return undefined;
  const [set] = sets;
  return set === undefined ? undefined : { place: set[0], value: set[1].after };
}

/** The thing that a place is of, and where in it: "/title". */
function thingAndField(model: ThingModel, named: NamedState, name: Name): readonly [Name, string] {
  const thing = thingOf(model, named, name) ?? ownerOf(name);
  return [thing, name.slice(thing.length)];
}

/** A field of a thing: `"title" of "Send invoices" (T-31)`. */
function place(model: ThingModel, named: NamedState, name: Name): string {
  const [thing] = thingAndField(model, named, name);
  const field = JSON.stringify(
    name
      .slice(thing.length + 1)
      .replaceAll("~2", "#")
      .replaceAll("~1", "/")
      .replaceAll("~3", " "),
  );
  if (name === thing) return label(model, named, name);
  return thing === "" ? field : `${field} of ${label(model, named, thing)}`;
}

function label(model: ThingModel, named: NamedState, name: Name): string {
  const thing = thingOf(model, named, name);
  if (thing !== undefined && thing !== name) return place(model, named, name);
  return locate(named, name) === undefined ? "what it touched" : labelOf(valueOf(named, name));
}

const TITLES = ["title", "name", "label", "text", "question", "description"];

/** A thing as a person knows it: by its title, and its id. */
function labelOf(value: unknown): string {
  if (!isObject(value)) return cut(JSON.stringify(value) ?? "nothing", 60);
  const title = TITLES.map((key) => value[key]).find((text) => typeof text === "string" && text !== "");
  const key = idKeyOf(value);
  const id = key === undefined ? undefined : String(value[key]);
  if (title !== undefined) return id === undefined ? quoted(title) : `${quoted(title)} (${id})`;
  return id === undefined ? cut(JSON.stringify(value), 60) : id;
}

function quoted(text: unknown): string {
  return cut(JSON.stringify(text), 60);
}
