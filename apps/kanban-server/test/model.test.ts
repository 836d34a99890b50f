// The choice of the model, and the messages if it cannot be used.

import { expect, test } from "vitest";
import { chooseModel } from "../src/model.ts";
import { OfflineModel } from "../src/offline-model/offline-model.ts";

test.each([{}, { OPSTATE_MODEL: "" }, { OPSTATE_MODEL: " ", OPSTATE_OFFLINE_DELAY: "0" }])(
  "without OPSTATE_MODEL it is the offline one: %j",
  async (environment) => {
    const { model, name, offline } = await chooseModel(environment);
    expect([model, name, offline]).toEqual([expect.any(OfflineModel), "offline", true]);
  },
);

test("its delay can be set", async () => {
  expect(await chooseModel({ OPSTATE_OFFLINE_DELAY: "250" })).toMatchObject({ model: { delayMs: 250 } });
});

test.each([
  [{ OPSTATE_MODEL: "gpt" }, 'OPSTATE_MODEL="gpt" is not "<provider>:<model>". For example: openai:'],
  [{ OPSTATE_MODEL: "nobody:x" }, 'OPSTATE_MODEL="nobody:x" is not "<provider>:<model>". For example: openai:'],
  [{ OPSTATE_MODEL: "openai:" }, 'OPSTATE_MODEL="openai:" is not'],
  [
    { OPSTATE_MODEL: "anthropic:claude-sonnet-4-5" },
    "OPSTATE_MODEL=anthropic:claude-sonnet-4-5 needs an API key: set ANTHROPIC_API_KEY.",
  ],
  [
    { OPSTATE_MODEL: "ollama:qwen3" },
    "OPSTATE_MODEL=ollama:qwen3 needs the package @langchain/ollama. Install it, from the root of the repository: npx -y pnpm@12.21.0 --filter @opstate/chat-model add @langchain/ollama@1.3.0",
  ],
  [{ OPSTATE_OFFLINE_DELAY: "slow" }, 'OPSTATE_OFFLINE_DELAY="slow" is not a number of milliseconds'],
])("%j is answered with what to do", async (environment, message) => {
  await expect(chooseModel(environment)).rejects.toThrow(message);
});
