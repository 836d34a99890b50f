// A form for each operation, from its JSON Schema: a choice, a number, a mark or a text; JSON for
// everything else. Sandboxes may forbid to submit forms, so its button does it by itself.

import { element } from "./elements.ts";
import type { Operation } from "./thread-data.ts";

interface Field {
  readonly control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  readonly name: string;
  readonly isRequired: boolean;
  /** Throws a SyntaxError. */
  readonly read: () => unknown;
}

export function operationForm({ type, description, inputSchema }: Operation, submit: (input: object) => void) {
  const required = inputSchema.required ?? [];
  const fields = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) =>
    fieldOf(name, schema, required.includes(name)),
  );
  const problem = element("output");
  const button = element("button", { type: "button" }, type);
  const form = element(
    "form",
    { title: description },
    ...fields.map(({ name, control }) => element("label", {}, name, control)),
    button,
    problem,
  );
  button.addEventListener("click", () => {
    if (!form.reportValidity()) return;
    const input: Record<string, unknown> = {};
    for (const { name, control, isRequired, read } of fields) {
      if (control.value === "" && !isRequired) continue;
      try {
        input[name] = read();
      } catch {
        problem.value = `${name} must be JSON.`;
        return;
      }
    }
    problem.value = "";
    submit(input);
  });
  return form;
}

function fieldOf(name: string, { type, enum: choices }: Operation["inputSchema"], isRequired: boolean): Field {
  if (choices !== undefined) {
    const none = isRequired ? [] : [element("option", { value: "" }, "")];
    const options = choices.map((choice) => element("option", { value: JSON.stringify(choice) }, String(choice)));
    const control = element("select", { name, required: isRequired }, ...none, ...options);
    return { name, isRequired, control, read: () => JSON.parse(control.value) };
  }
  if (type === "string") {
    const control = element("input", { name });
    return { name, isRequired, control, read: () => control.value };
  }
  if (type === "number" || type === "integer") {
    const control = element("input", { name, type: "number", step: type === "integer" ? "1" : "any" });
    control.required = isRequired;
    return { name, isRequired, control, read: () => control.valueAsNumber };
  }
  if (type === "boolean") {
    const control = element("input", { name, type: "checkbox" });
    return { name, isRequired, control, read: () => control.checked };
  }
  const control = element("textarea", { name, placeholder: "JSON", required: isRequired });
  return { name, isRequired, control, read: () => JSON.parse(control.value) };
}
