// The questions at the end of a run. The protocol requires all answers at once; a question can be
// cancelled instead.

import { defined } from "@opstate/core";
import type { ChatState, InterruptAnswer } from "@opstate/ag-ui";
import { useState } from "react";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { answerFields, readAnswer } from "./answer-fields.ts";
import { AnswerInput } from "./answer-input.tsx";

type Interrupt = ChatState["interrupts"][number];

interface Draft {
  readonly texts: Readonly<Record<string, string>>;
  readonly cancelled: boolean;
}

const EMPTY_DRAFT: Draft = { texts: {}, cancelled: false };

interface InterruptFormProps {
  readonly interrupts: readonly Interrupt[];
  readonly onAnswer: (answers: readonly InterruptAnswer[]) => void;
}

export function InterruptForm({ interrupts, onAnswer }: InterruptFormProps) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [problem, setProblem] = useState<string>();

  function send() {
    const answers: InterruptAnswer[] = [];
    for (const { id, responseSchema } of interrupts) {
      const { texts, cancelled } = drafts[id] ?? EMPTY_DRAFT;
      if (cancelled) {
        answers.push({ interruptId: id, status: "cancelled" });
        continue;
      }
      const read = readAnswer(answerFields(responseSchema), texts);
      if ("problem" in read) return setProblem(read.problem);
      answers.push({ interruptId: id, ...defined({ payload: read.payload }) });
    }
    return onAnswer(answers);
  }

  return (
    <form
      className="question"
      aria-label="The agent asks"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {interrupts.map((interrupt) => {
        const { id } = interrupt;
        const draft = drafts[id] ?? EMPTY_DRAFT;
        const change = (next: Partial<Draft>) => {
          setProblem(undefined);
          setDrafts({ ...drafts, [id]: { ...draft, ...next } });
        };
        return (
          <fieldset key={id}>
            <legend>
              <Mark kind="agent" />
              {interrupt.message ?? `The agent is waiting: ${interrupt.reason}`}
            </legend>
            {!draft.cancelled &&
              answerFields(interrupt.responseSchema).map((field) => (
                <AnswerInput
                  key={field.name}
                  group={id}
                  field={field}
                  text={draft.texts[field.name] ?? ""}
                  onText={(text) => change({ texts: { ...draft.texts, [field.name]: text } })}
                />
              ))}
            <label className="check">
              <input
                type="checkbox"
                checked={draft.cancelled}
                onChange={({ target }) => change({ cancelled: target.checked })}
              />
              Cancel this instead of answering
            </label>
          </fieldset>
        );
      })}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="button primary">
        {interrupts.length > 1 ? "Send answers" : "Send answer"}
      </button>
    </form>
  );
}
