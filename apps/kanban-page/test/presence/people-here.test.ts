import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { peopleHere, personAt } from "../../src/presence/people-here.ts";

const ada = { kind: "user", id: "ada" };
const grace = { kind: "user", id: "grace" };
const agent = { kind: "agent", id: "kanban" };
const at = (cardId: string) => ({ data: { cardId } });
/** T-15 in the sample. */
const focus = "/columns/1/cards/0";

const told = (...participants: Parameters<typeof peopleHere>[0]) =>
  peopleHere(participants, sampleBoard, "ada").map(({ name, sentence }) => `${name}: ${sentence}`);

describe("who is here", () => {
  it("is listed by name, with what each does", () => {
    expect(
      told(
        { session: "1", actor: grace },
        { session: "2", actor: ada, ...at("T-1") },
        { session: "3", actor: agent, focus: `${focus}/title` },
      ),
    ).toEqual([
      "grace: grace is here",
      "you: You, in another tab, are at 'Write the launch announcement' (T-1)",
      "Agent: Agent is working on 'Keep edits made while offline' (T-15)",
    ]);
    expect(told({ session: "1", actor: grace, typing: true, ...at("T-1") })).toEqual([
      "grace: grace is editing 'Write the launch announcement' (T-1)",
    ]);
    expect(told({ session: "1", actor: agent })).toEqual(["Agent: Agent is working"]);
  });

  it("names the card by its title, beside its id", () => {
    const [at, gone] = ["T-1", "T-999"].map(
      (cardId) => peopleHere([{ session: "1", actor: grace, data: { cardId } }], sampleBoard, "ada")[0],
    );
    expect([at?.cardId, at?.cardTitle]).toEqual(["T-1", "Write the launch announcement"]);
    expect([gone?.cardId, gone?.cardTitle]).toEqual(["T-999", undefined]);
  });

  it("is one for each person, at a card where one of their tabs is", () => {
    const people = [
      { session: "1", actor: grace },
      { session: "2", actor: grace, ...at("T-2") },
      { session: "3", actor: grace },
    ];
    expect(told(...people)).toEqual(["grace: grace is at 'Dark mode for the settings page' (T-2)"]);
    expect(personAt("T-2", people, sampleBoard, "ada")?.name).toBe("grace");
    expect(personAt("T-3", people, sampleBoard, "ada")).toBeUndefined();
  });

  it("is nowhere when a pointer leads to no card, or what is shown is of another program", () => {
    const odd = [
      { session: "1", actor: grace, focus: "/columns/9/cards/9" },
      { session: "2", actor: agent, data: { cardId: 7 }, focus: "/columns" },
    ];
    expect(told(...odd)).toEqual(["grace: grace is here", "Agent: Agent is working"]);
    expect(peopleHere(odd, null, "ada")).toHaveLength(2);
  });
});
