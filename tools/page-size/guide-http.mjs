import guide from "./guide.mjs";
import { pageBundle } from "./esbuild.mjs";

export default { ...guide, ...pageBundle("guide-http.ts"), external: guide.external };
