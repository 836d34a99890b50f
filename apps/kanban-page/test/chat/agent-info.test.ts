import { afterEach, expect, it, vi } from "vitest";
import { type AgentInfo, followAgentInfo } from "../../src/chat/agent-info.ts";

afterEach(() => vi.unstubAllGlobals());

const info: AgentInfo = { model: { name: "small", offline: true } };
const answering = { subscribe: () => () => undefined, fetch: async () => Response.json(info) };

it.each(["no JSON {", "null", '"small"', '{"model":"small"}'])(
  "what is stored is not believed: %s. What the server says is shown, and stored",
  async (text) => {
    const tab = new Map([["opstate.agent", text]]);
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => void tab.set(key, value),
    });
    const shown: AgentInfo[] = [];
    const stop = followAgentInfo(answering, (each) => shown.push(each));
    await expect.poll(() => tab.get("opstate.agent")).toBe(JSON.stringify(info));
    expect(shown).toEqual([info]);
    stop();
  },
);
