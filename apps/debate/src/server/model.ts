// Chooses the debaters' model: the one that OPSTATE_MODEL names, else the offline one.

import {
  chooseModel as choose,
  type ChosenModel,
  type Environment,
  offlineModel as withoutNetwork,
} from "@opstate/chat-model";
import { OfflineModel } from "../offline-model/offline-model.ts";

export type { ChosenModel };

const offline = (options: { readonly delayMs?: number }): OfflineModel => new OfflineModel(options);

/** Throws an Error that says what the person who starts the debate has to set or install. */
export async function chooseModel(environment: Environment): Promise<ChosenModel> {
  return choose({ environment, offline });
}

export function offlineModel(environment: Environment = {}): ChosenModel {
  return withoutNetwork({ environment, offline });
}
