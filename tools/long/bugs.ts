// The bugs that `planted-bugs.ts` plants: each with its text, what replaces it, and its test.

export interface Bug {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
  /** Where it must be found. */
  readonly test: string;
}

export const BUGS: { readonly [what: string]: Bug } = {
  "a zod check's abort is not carried on": {
    file: "src/engine/validation/checks.ts",
    right: "aborted ||= raised.some((issue) => issue.continue !== true);",
    wrong: "",
    test: "test/engine/validation/abort.test.ts",
  },
  "an undo rewinds over an older definition version": {
    file: "src/thread/undo/stretch.ts",
    right: "this.#isKnown &&= definitionVersion === this.#definition.version;",
    wrong: "",
    test: "test/thread/undo/undo.test.ts",
  },
  "a refused operation that was never sent stays pending": {
    file: "src/replica/pending.ts",
    right: "else if (!entry.sent && base.version >= 0) {",
    wrong: "else if (entry.acceptedAt === -1) {",
    test: "test/replica/leaves-pending.test.ts",
  },
  "a decline on a branch is a change to merge": {
    file: "src/thread/branch/changes.ts",
    right: "[UNDO, PROPOSE, DECLINE, MIGRATE, REDACT]",
    wrong: "[UNDO, PROPOSE, MIGRATE, REDACT]",
    test: "test/thread/branch/branch.test.ts",
  },
  "the second of two no-ops of one id in a batch is judged again": {
    file: "src/thread/authority/decide.ts",
    right: 'receipts.set(key, entry.receipt);\n      return { kind: "unchanged"',
    wrong: 'return { kind: "unchanged"',
    test: "test/thread/authority/same-id.test.ts",
  },
  "a pending edit is kept though a thread that is gone accepted it": {
    file: "src/replica/merge.ts",
    right: "return entry.acceptedAt === undefined ? [{ ...kept",
    wrong: "return entry.acceptedAt !== -1 ? [{ ...kept",
    test: "test/replica/leaves-pending.test.ts",
  },
  "an undo takes back what is left of a run that begins one version below the floor": {
    file: "src/thread/undo/target.ts",
    right: "if (floor > since) return",
    wrong: "if (floor > since + 5) return",
    test: "test/thread/undo/undo.test.ts",
  },
  "a late patch is done to whatever stands at its paths": {
    file: "src/thread/things/submitted-things.ts",
    right: "return !replacesWhole(operation) &&",
    wrong: 'return operation.type !== "$patch" && !replacesWhole(operation) &&',
    test: "test/thread/same-thing/found.test.ts",
  },
  "a replacement that is approved anyway writes over what others did since": {
    file: "src/thread/proposal/same-things.ts",
    right: "const whole = replaces(operation)\n        ? placesNotShown(",
    wrong: "const whole = replaces(operation) ? [] : replaces(operation)\n        ? placesNotShown(",
    test: "test/thread/same-thing/found.test.ts",
  },
  "what a replacement wrote takes over what the thing before it had": {
    file: "src/engine/things/carry.ts",
    right: "    carrying.rewrites();\n",
    wrong: "",
    test: "test/thread/same-thing/found.test.ts",
  },
  "what was merged twice comes back twice": {
    file: "src/thread/undo/again.ts",
    right: "if (isBornAlready(recorded, to)) return",
    wrong: "if (isBornAlready(recorded, to) && recorded.born.length > 99) return",
    test: "test/thread/same-thing/found.test.ts",
  },
  "what is carried is carried to the place, not to the thing": {
    file: "src/thread/undo/again.ts",
    right: '      return carried(model, recorded, to, "carried", { instead: there.effect });',
    wrong: '      return kept("recomputed", model, recorded, there);',
    test: "test/thread/undo/same-thing.test.ts",
  },
  "what an undo carried has other names when it is read from the log": {
    file: "src/thread/undo/history.ts",
    right: "if (!carried.ok || !equal(carried.patches, patches, Infinity)) continue;",
    wrong: "continue;",
    test: "test/thread/undo/read-back.test.ts",
  },
  "a merge does not say that it carried what an undo on the branch kept": {
    file: "src/thread/branch/merge.ts",
    right: 'if (outcome.kind !== "recorded") return outcome.kind === "carried";',
    wrong: 'return outcome.kind === "carried";',
    test: "test/thread/branch/same-thing.test.ts",
  },
  "an approval that changed nothing is run anew": {
    file: "src/thread/undo/again.ts",
    right: 'return { kind: "carried", effect: noEffect(to), patches: [] };',
    wrong: 'return kept("recomputed", model, there.effect, there);',
    test: "test/thread/same-thing/found.test.ts",
  },
  "the parts of a batch of a page change their things with one another": {
    file: "src/thread/authority/batch-names.ts",
    right: "return others.length > 0 ? others : this.#strayed(",
    wrong: "return others.length >= 0 ? others : this.#strayed(",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a part of a batch of a page removes what the batch adds": {
    file: "src/thread/authority/batch-names.ts",
    right: "next.patches.length === 0 && !hasParts(next.operation)",
    wrong: "next.patches.length === 0",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a part of a batch that is approved anyway removes what the batch adds": {
    file: "src/thread/proposal/same-things.ts",
    right: "(replaces(next.operation) || !hasParts(next.operation))",
    wrong: "next.accepted",
    test: "test/thread/same-thing/found.test.ts",
  },
  "the parts of a kept batch change their things with one another": {
    file: "src/thread/undo/again.ts",
    right: 'switch (strays ? "other_things" : likeness) {',
    wrong: "switch (likeness) {",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a merged change that was carried does not come back where the code does the same": {
    file: "src/thread/undo/again.ts",
    right: "if (alike || isSame(recorded, there.effect))",
    wrong: "if (alike)",
    test: "test/thread/same-thing/found.test.ts",
  },
  "what was done again in part stays a part where its code is gone": {
    file: "src/thread/undo/again.ts",
    right: 'wholeOrPart(model, recorded, to, first, "recorded")',
    wrong: 'wholeOrPart(model, recorded, to, recorded, "recorded")',
    test: "test/thread/same-thing/found.test.ts",
  },
  "what a merge adds is taken for one another": {
    file: "src/thread/branch/meeting.ts",
    right: "return change === undefined ? effect : withBranchNames(effect, change);",
    wrong: "return effect;",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a process behind the fork takes the parent's things for those of the branch": {
    file: "src/thread/branch/meeting.ts",
    right: "known.version < fork ? await this.#parentAt(fork) : known",
    wrong: "known",
    test: "test/thread/branch/behind-the-fork.test.ts",
  },
  "what the code refuses by now gives a card the id of one that came back": {
    file: "src/thread/undo/again.ts",
    right: "carried(model, recorded, to, kind, { givesIds: true })",
    wrong: "carried(model, recorded, to, kind, {})",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a batch of a page of other code writes into what it creates": {
    file: "src/thread/authority/batch-names.ts",
    right: "[] : writtenIntoOwn(model, today)",
    wrong: "[] : []",
    test: "test/thread/same-thing/found.test.ts",
  },
  "a replacement gives a card the id of one that came back": {
    file: "src/engine/things/carry.ts",
    right: "    carrying.ids();\n",
    wrong: "",
    test: "test/thread/undo/reused-ids.test.ts",
  },
  "an id is free that the operation would free itself": {
    file: "src/engine/things/carry.ts",
    right: "removed?.has(other) === true",
    wrong: "removed === null",
    test: "test/thread/undo/reused-ids.test.ts",
  },
  "a head that is announced while an authority catches up is forgotten": {
    file: "src/thread/authority/step.ts",
    right: 'return also({ do: "retryReset" }, judgeNext(after));',
    wrong: 'return also({ do: "retryReset" }, judgeNext({ ...after, announced: 0 }));',
    test: "test/thread/authority/announced.test.ts",
  },
  "a head that could not be read waits for a submission": {
    file: "src/thread/authority/step.ts",
    right:
      'return also({ do: "retryLater" }, judgeNext({ ...after, announced: headHeard(loop), unread: stage.head }));',
    wrong: "return judgeNext({ ...after, announced: headHeard(loop), unread: stage.head });",
    test: "test/thread/authority/announced.test.ts",
  },
  "a thread that is opened again has another authority": {
    file: "src/thread/open/open-threads.ts",
    right: "const earlier = threads.get(threadId);",
    wrong: "const earlier = (threads.size < 0 ? threads : new Map<string, Opening>()).get(threadId);",
    test: "test/thread/open-twice.test.ts",
  },
  "a thread closes with the first of those who opened it": {
    file: "src/thread/open/opened-thread.ts",
    right: "if (this.#holders.size > 0) return;",
    wrong: "",
    test: "test/thread/open-twice.test.ts",
  },
};
