// POST /operations: submissions to many threads in one request.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { addCard } from "../support/board.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

async function withBoards(...ids: string[]) {
  const running = await start();
  for (const id of ids) await createBoard(running.url, id);
  const submit = (body: unknown, headers: Record<string, string> = ada) =>
    send(`${running.url}/operations`, "POST", body, headers);
  const cardsOf = async (id: string) =>
    (await send(`${running.url}/threads/${id}`, "GET")).body.state.columns[0].cards.map(
      ({ cardId }: { cardId: string }) => cardId,
    );
  return { ...running, submit, cardsOf };
}

const item = (thread: string, cardId: string, id = `${thread}-${cardId}`) => ({
  thread,
  id,
  operation: addCard(cardId),
});

describe("a list of submissions to many threads", () => {
  it("gets a verdict for each, in its order, and each thread processes its own in order", async () => {
    const { submit, cardsOf } = await withBoards("a", "b");
    const ids = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const { status, body } = await submit(ids.flatMap((id) => [item("a", id), item("b", id)]));
    expect(status).toBe(200);
    expect(body.map(({ commit }: { commit: { id: string } }) => commit.id)).toEqual(
      ids.flatMap((id) => [`a-${id}`, `b-${id}`]),
    );
    for (const id of ["a", "b"]) expect(await cardsOf(id)).toEqual(ids);
  });

  it("has the verdicts that a thread's own route would give", async () => {
    const { url, submit } = await withBoards("a");
    const bad = { operation: { type: "fly" }, id: "bad" };
    const [list] = [(await submit([item("a", "c1"), { thread: "a", ...bad }])).body];
    const { thread: _, ...first } = item("a", "c1");
    const own = (await send(`${url}/threads/a/operations`, "POST", [first, bad])).body;
    expect([list[0], list[1].rejection]).toEqual([own[0], own[1].rejection]);
  });

  it("has one effect for an id, however often it is sent", async () => {
    const { submit, cardsOf } = await withBoards("a");
    const [first, second] = [await submit([item("a", "c1")]), await submit([item("a", "c1"), item("a", "c1")])];
    expect(second.body).toEqual([first.body[0], first.body[0]]);
    expect(await cardsOf("a")).toEqual(["c1"]);
  });

  it("has the problem of a thread, or of an item, in its place", async () => {
    const { submit, cardsOf } = await withBoards("a", "secret");
    const { status, body } = await submit([
      item("nowhere", "c1"),
      item("a", "c1"),
      item("secret", "c1"),
      item("no id", "c1"),
      { operation: addCard("c2") },
      { thread: "a", ...addCard("c3") },
      { thread: "a", operation: addCard("c4"), actor: { kind: "user", id: "eve" } },
      { thread: "a", operation: addCard("c5"), id: 7 },
      "c6",
      item("a", "c7"),
    ]);
    expect(status).toBe(200);
    const problem = (code: string, code_status: number) => ({
      problem: { status: code_status, code, title: expect.any(String), detail: expect.any(String) },
    });
    expect(body).toEqual([
      problem("unknown_thread", 404),
      expect.objectContaining({ accepted: true, version: 1 }),
      problem("not_allowed", 403),
      problem("invalid_id", 400),
      problem("invalid_body", 400),
      problem("invalid_body", 400),
      problem("actor_in_body", 400),
      problem("invalid_body", 400),
      problem("invalid_body", 400),
      expect.objectContaining({ accepted: true, version: 2 }),
    ]);
    expect(await cardsOf("a")).toEqual(["c1", "c7"]);
  });

  it("is accepted as a whole, or not at all, when it names its actor", async () => {
    const { submit, cardsOf } = await withBoards("a");
    const [as, submissions] = [{ kind: "user", id: "ada" }, [item("a", "c1")]];
    const bob = { kind: "user", id: "bob" };
    expect(await submit({ as: bob, submissions })).toMatchObject({ status: 409, body: { code: "other_actor" } });
    expect(await submit({ as, submissions }, asUser("bob", "write"))).toMatchObject({ status: 409 });
    expect(await cardsOf("a")).toEqual([]);
    expect(await submit({ as, submissions })).toMatchObject({ status: 200, body: [{ accepted: true }] });
    const bad = { status: 400, body: { code: "invalid_body" } };
    for (const body of [{ submissions }, { as: "ada", submissions }, { as }, { as, submissions: [] }])
      expect(await submit(body)).toMatchObject(bad);
    expect(await submit({ as, submissions, force: true })).toMatchObject(bad);
    expect(await cardsOf("a")).toEqual(["c1"]);
  });

  it("gives a sender without the right to read no part of the state", async () => {
    const { submit } = await withBoards("a");
    const { body } = await submit([item("a", "c1")], asUser("bob", "write"));
    expect(body[0].accepted).toBe(true);
    expect(body[0].commit).not.toHaveProperty("patches");
  });

  it("is refused as a whole when it is no list, empty, or too long", async () => {
    const { submit, cardsOf } = await withBoards("a");
    const many = Array.from({ length: 257 }, (_, index) => item("a", `c${index}`));
    for (const body of [[], {}, item("a", "c1"), many])
      expect(await submit(body)).toMatchObject({ status: 400, body: { code: "invalid_body" } });
    expect(await submit(many.slice(1))).toMatchObject({ status: 200 });
    expect(await cardsOf("a")).toHaveLength(256);
    const large = { thread: "a", operation: { type: "addCard", title: "x".repeat(256 * 1024) } };
    expect(await submit([large])).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect(await submit([item("a", "c1")], {})).toMatchObject({ status: 401 });
  });

  it("has a failure of one thread's log in its place, and the owner gets the error", async () => {
    const log = memoryLog();
    const { url, errors } = await start({
      log: new Proxy(log, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          return (...given: unknown[]) => {
            if (given[0] === "b") throw new Error("the disk is gone");
            return Reflect.apply(member, target, given);
          };
        },
      }),
    });
    await createBoard(url, "a");
    const { body } = await send(`${url}/operations`, "POST", [item("b", "c1"), item("a", "c1")]);
    expect(body).toMatchObject([{ problem: { status: 500, code: "failure" } }, { accepted: true }]);
    expect(JSON.stringify(body)).not.toContain("disk");
    expect(errors).toHaveLength(1);
  });
});
