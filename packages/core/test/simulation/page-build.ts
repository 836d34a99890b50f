// What a process is started with whose replicas are those of the page's build.

export const PAGE_BUILD = "--conditions=opstate-page";
