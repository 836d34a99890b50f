// The links to the other demos, the docs and the repository: in the line, or behind a button where
// the line has no room for them. `root` is the way to the start page.

import { DEMOS, OUTSIDE, SITE_NAV } from "../site-links.ts";
import { Icon } from "./icon.tsx";

export function SiteNav({ root = "../", here }: { root?: "./" | "../"; here?: string }) {
  return (
    <>
      <button
        type="button"
        className="button quiet small icon site-menu"
        aria-label={SITE_NAV.label}
        title={SITE_NAV.label}
        popoverTarget={SITE_NAV.id}
      >
        <Icon name="menu" />
      </button>
      <nav id={SITE_NAV.id} className="site-nav" popover="auto" aria-label={SITE_NAV.label}>
        {DEMOS.map(({ label, href }) => (
          <a key={label} href={`${root}${href}`} target="_top" aria-current={label === here ? "page" : undefined}>
            {label}
          </a>
        ))}
        {OUTSIDE.map(({ label, href }) => (
          <a key={label} className="outside" href={href} target="_top">
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
