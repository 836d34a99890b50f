// Chooses the agent's model: the one that OPSTATE_MODEL names, else the offline one.

import { chooseModel as choose, type ChosenModel, type Environment } from "@opstate/chat-model";
import { OfflineModel } from "./offline-model/offline-model.ts";

export type { ChosenModel };

/** Throws an Error that says what to set or install. */
export async function chooseModel(environment: Environment): Promise<ChosenModel> {
  return choose({ environment, offline: (options) => new OfflineModel(options) });
}
