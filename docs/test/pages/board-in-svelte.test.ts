import { describe } from "vitest";
import { boardGuide } from "../support/board-guide.ts";
import { svelteErrors } from "../support/types.ts";

describe("A board in ten minutes, in Svelte", () =>
  boardGuide("board-in-svelte", { typeErrors: svelteErrors, page: "Page.svelte" }));
