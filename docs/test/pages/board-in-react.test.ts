import { describe } from "vitest";
import { boardGuide } from "../support/board-guide.ts";
import { typeErrors } from "../support/types.ts";

describe("A board in ten minutes, in React", () => boardGuide("board-in-react", { typeErrors, page: "page.tsx" }));
