import { expect, test } from "vitest";
import { createSelection } from "../../src/binding/selection.ts";

const big = (numbers: readonly number[]) => numbers.filter((each) => each > 1);
const same = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

test("calls the selector once for each state", () => {
  let calls = 0;
  const selection = createSelection<readonly number[], readonly number[]>();
  const counted = (numbers: readonly number[]) => {
    calls += 1;
    return big(numbers);
  };
  const state = [1, 2];
  const first = selection(state, counted, Object.is);
  expect(selection(state, counted, Object.is)).toBe(first);
  expect(calls).toBe(1);
  expect(selection([1, 2], counted, Object.is)).not.toBe(first);
});

test("the slice always equals the selection, and changes its reference only when the selection changes", () => {
  const selection = createSelection<readonly number[], readonly number[]>();
  const states = [[1], [2], [2, 1], [1, 2, 3], [2, 3], []];
  const selectors = [
    big,
    (numbers: readonly number[]) => numbers.slice(0, 1),
    (numbers: readonly number[]) => big(numbers),
  ];
  let last: readonly number[] | undefined;
  for (let turn = 0; turn < 2000; turn += 1) {
    const state = states[(turn * 7) % states.length] ?? [];
    const selector = selectors[(turn * turn + 3) % selectors.length] ?? big;
    const slice = selection(state, selector, same);
    expect(slice).toEqual(selector(state));
    if (last && same(last, slice)) expect(slice).toBe(last);
    last = slice;
  }
});
