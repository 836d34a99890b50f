import { pageBundle } from "./esbuild.mjs";

export default pageBundle("replica.ts");
