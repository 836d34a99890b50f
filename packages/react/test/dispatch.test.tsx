import { useAgentState, useDispatch } from "@opstate/react";
import { StrictMode, useActionState, useTransition } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test } from "vitest";
import { openReplica, shelf } from "./shelf.ts";

test("is the same function as long as the source is the same", async () => {
  const one = await openReplica();
  const two = await openReplica();
  const { result, rerender } = await renderHook(({ replica }: typeof one = one) => useDispatch(replica));
  const first = result.current;
  await rerender(one);
  expect(result.current).toBe(first);
  await rerender(two);
  expect(result.current).not.toBe(first);
});

test("resolves to the verdict", async () => {
  const { replica } = await openReplica();
  const { result } = await renderHook(() => useDispatch(replica));
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({ accepted: true, version: 1 });
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({
    accepted: false,
    rejection: { reason: "taken" },
  });
});

test("passes the options of a dispatch on", async () => {
  const { replica } = await openReplica();
  const { result } = await renderHook(() => useDispatch(replica));
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }), { id: "mine" })).toMatchObject({
    accepted: true,
    commit: { id: "mine" },
  });
});

test("in a transition, shows the edit at once, and the transition lasts until the verdict", async () => {
  const { replica, gate } = await openReplica();
  function Rename() {
    const title = useAgentState(replica, (state) => state.title);
    const dispatch = useDispatch(replica);
    const [isPending, startTransition] = useTransition();
    const rename = () =>
      startTransition(async () => {
        await dispatch(shelf.op.rename({ title: "Books" }));
      });
    return <button onClick={rename}>{`${title}${isPending ? " saving" : ""}`}</button>;
  }
  const screen = await render(
    <StrictMode>
      <Rename />
    </StrictMode>,
  );
  gate.hold = true;
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("Books saving");
  gate.release();
  await expect.poll(() => screen.container.textContent).toBe("Books");
});

test("as the action of a form, makes the verdict the state of the action", async () => {
  const { replica, act } = await openReplica();
  await act({ type: "put", id: "a", label: "theirs" });
  function Add() {
    const dispatch = useDispatch(replica);
    const [verdict, add, isPending] = useActionState((_: unknown, form: FormData) => {
      const id = form.get("id");
      return dispatch(shelf.op.put({ id: typeof id === "string" ? id : "", label: "mine" }));
    }, undefined);
    const message = verdict === undefined || verdict.accepted ? "" : verdict.rejection.message;
    return (
      <form action={add}>
        <input name="id" aria-label="id" />
        <button disabled={isPending}>Add</button>
        <output>{verdict?.accepted === true ? `version ${verdict.version}` : message}</output>
      </form>
    );
  }
  const screen = await render(
    <StrictMode>
      <Add />
    </StrictMode>,
  );
  const [input, button, output] = [
    screen.getByLabelText("id"),
    screen.getByRole("button"),
    screen.container.querySelector("output"),
  ];
  await input.fill("a");
  await button.click();
  await expect.poll(() => output?.textContent).toBe('There is a box "a" already');
  await input.fill("b");
  await button.click();
  await expect.poll(() => output?.textContent).toBe("version 2");
});
