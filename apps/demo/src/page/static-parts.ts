// What the pages of this app have in common, put into their HTML when they are built: the head, and
// the line at the top of those without a script.

import { ICONS } from "@opstate/ui/icons.ts";
import { DEMOS, OUTSIDE, SITE_NAV } from "@opstate/ui/site-links.ts";

/** `<!-- head -->` and `<!-- header: Side by side -->`, with the page's name or without one. */
export const withStaticParts = (html: string): string =>
  html.replace("<!-- head -->", HEAD).replace(/<!-- header(?:: (.+?))? -->/, (_, here?: string) => headerOf(here));

const HEAD = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f8fa" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c0e12" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />`;

function headerOf(here: string | undefined): string {
  const demos = DEMOS.map(
    ({ label, href }) => `<a href="/${href}"${label === here ? ' aria-current="page"' : ""}>${label}</a>`,
  );
  const outside = OUTSIDE.map(({ label, href }) => `<a class="outside" href="${href}">${label}</a>`);
  return `<header class="site-header">
      <p class="brand">
        <a class="home" href="/" aria-label="opstate, all demos">
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="7" cy="10" r="5" class="human" />
            <path d="m13.500 4.500 5.500 5.500-5.500 5.500L8 10z" class="agent" />
          </svg>
          opstate
        </a>${here === undefined ? "" : `<span class="crumb">${here}</span>`}
      </p>
      <span class="push"></span>
      <button type="button" class="button quiet small icon site-menu" aria-label="${SITE_NAV.label}" popovertarget="${SITE_NAV.id}">
        <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true"><path d="${ICONS.menu}" /></svg>
      </button>
      <nav id="${SITE_NAV.id}" class="site-nav" popover="auto" aria-label="${SITE_NAV.label}">${[...demos, ...outside].join("")}</nav>
    </header>`;
}
