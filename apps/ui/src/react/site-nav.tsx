// The links to the other demos, the docs and the repository. `root` is the way to the start page.

import { DEMOS, OUTSIDE } from "../site-links.ts";

export function SiteNav({ root = "../", here }: { root?: "./" | "../"; here?: string }) {
  return (
    <nav className="site-nav" aria-label="Demos and docs">
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
  );
}
