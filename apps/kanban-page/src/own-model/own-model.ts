// The model of the person's own that the agent uses, if one is chosen. Its key is in this page's
// memory alone: a reload forgets it.

import { createStore } from "zustand/vanilla";
import type { Connection } from "../connection/connection.ts";

/** As `/api/providers` lists it. */
export interface Provider {
  readonly name: string;
  readonly url: string;
  readonly models: readonly string[];
  readonly needsKey: boolean;
}

export interface OwnModel {
  readonly provider: Provider;
  readonly model: string;
  /** "" where the provider needs none. */
  readonly key: string;
}

export type OwnModelChoice = Omit<ReturnType<typeof createOwnModel>, "open">;

export function createOwnModel({ fetch }: Pick<Connection, "fetch">) {
  const store = createStore<{ readonly chosen?: OwnModel | undefined }>()(() => ({}));
  const choice = Object.assign(store, {
    /** Undefined: the server's agent answers. */
    choose: (chosen: OwnModel | undefined) => store.setState({ chosen }),
    async providers(): Promise<readonly Provider[]> {
      const response = await fetch("/api/providers");
      if (!response.ok) throw new TypeError(`The list of providers was not read: ${response.status}.`);
      // Edge: the server of this page wrote it.
      return (await response.json()) as readonly Provider[];
    },
  });
  return Object.assign(choice, {
    /** Opens the dialog. It is loaded with the first call. */
    async open(): Promise<void> {
      const { openModelDialog } = await import("./model-dialog.ts");
      await openModelDialog(choice);
    },
  });
}
