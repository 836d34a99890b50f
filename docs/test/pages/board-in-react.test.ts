import { describe } from "vitest";
import { boardGuide } from "../support/board-guide.ts";

describe("A board in ten minutes, in React", () => boardGuide("board-in-react", "page.tsx"));
