import guide from "./guide.mjs";
import { pageBundle } from "./esbuild.mjs";

export default { ...guide, ...pageBundle("guide-thread.ts"), external: guide.external };
