import { createClient } from "@opstate/client";
import { createAgentStateContext } from "@opstate/svelte";
import { tally } from "../tally.ts";

export const tallyContext = createAgentStateContext(tally);

const query = new URLSearchParams(location.search);
const authorization = query.get("user") ?? "ada";
export const client = createClient({ url: query.get("api") ?? "", headers: () => ({ authorization }) });
