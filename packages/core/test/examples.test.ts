import { fileURLToPath } from "node:url";
import { testExamples } from "../../../tools/examples.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
testExamples(folder, {
  readmes: [fileURLToPath(new URL("../../../README.md", import.meta.url)), `${folder}README.md`],
});
