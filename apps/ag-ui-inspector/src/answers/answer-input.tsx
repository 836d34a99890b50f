// One field of an answer.

import type { AnswerField } from "./answer-fields.ts";

interface AnswerInputProps {
  readonly group: string;
  readonly field: AnswerField;
  readonly text: string;
  readonly onText: (text: string) => void;
}

const YES_OR_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

export function AnswerInput({ group, field, text, onText }: AnswerInputProps) {
  const { name, kind, choices, required } = field;
  const label = required ? field.label : `${field.label} (optional)`;
  const options = kind === "boolean" ? YES_OR_NO : choices.map((choice) => ({ value: choice, label: choice }));
  if (options.length > 0)
    return (
      <div className="answer" role="radiogroup" aria-label={label}>
        <span aria-hidden="true">{label}</span>
        <div className="choices">
          {options.map((option) => (
            <label key={option.value} className="check">
              <input
                type="radio"
                name={`${group}/${name}`}
                checked={text === option.value}
                onChange={() => onText(option.value)}
              />
              {option.label}
            </label>
          ))}
        </div>
      </div>
    );
  return (
    <label className="answer">
      {label}
      {kind === "json" ? (
        <textarea
          className="field mono"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      ) : (
        <input
          className="field"
          inputMode={kind === "number" ? "decimal" : "text"}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </label>
  );
}
