import { pageBundle } from "./esbuild.mjs";

export default pageBundle("define-state.ts");
