// The generic view's page. In a build its text stands here (`bundle-view.ts` puts it there). From
// sources it is built when it is read first.

export const page: string | URL = new URL("../../build-view.ts", import.meta.url);
