// Tests compile their components as an application of today does: runes everywhere, TypeScript in the templates.

import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true } };
