import { pageBundle } from "./esbuild.mjs";

/** What is imported when it is used is no part of what a page loads first. */
const firstAlone = {
  name: "what a page loads first",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

const page = pageBundle("guide.ts");
export default { ...page, external: [...page.external, "react", "react/*"], plugins: [firstAlone] };
