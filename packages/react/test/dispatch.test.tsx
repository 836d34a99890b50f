import { useAgentState, useDispatch } from "@opstate/react";
import { StrictMode, useActionState, useTransition } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test } from "vitest";
import { openPage, shelf } from "./support/shelf.ts";

test("is the same function as long as the source is the same", async () => {
  const one = await openPage();
  const two = await openPage();
  const { result, rerender } = await renderHook(({ page }: typeof one = one) => useDispatch(page));
  const first = result.current;
  await rerender(one);
  expect(result.current).toBe(first);
  await rerender(two);
  expect(result.current).not.toBe(first);
});

test("resolves to the verdict", async () => {
  const { page } = await openPage();
  const { result } = await renderHook(() => useDispatch(page));
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({ accepted: true, version: 1 });
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }))).toMatchObject({
    accepted: false,
    rejection: { reason: "taken" },
  });
});

test("passes the options of a dispatch on", async () => {
  const { page } = await openPage();
  const { result } = await renderHook(() => useDispatch(page));
  expect(await result.current(shelf.op.put({ id: "a", label: "A" }), { id: "mine" })).toMatchObject({
    accepted: true,
    commit: { id: "mine" },
  });
});

test("in a transition, shows the edit at once, and the transition lasts until the verdict", async () => {
  const { page, gate } = await openPage();
  function Rename() {
    const title = useAgentState(page, (state) => state.title);
    const dispatch = useDispatch(page);
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
  const { page, act } = await openPage();
  await act({ type: "put", id: "a", label: "theirs" });
  function Add() {
    const dispatch = useDispatch(page);
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
