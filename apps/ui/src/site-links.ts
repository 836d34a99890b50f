// The links of the line at the top, equal on every page of the demos.

export interface SiteLink {
  readonly label: string;
  readonly href: string;
}

/** The element with all links. On a narrow page the button with the same label shows it. */
export const SITE_NAV = { id: "site-nav", label: "Demos and docs" } as const;

/** Relative to the start page. */
export const DEMOS: readonly SiteLink[] = [
  { label: "Board", href: "react/" },
  { label: "Side by side", href: "both/" },
  { label: "Debate", href: "debate/" },
  { label: "Any agent", href: "agent/" },
];

export const REPOSITORY = "https://github.com/opstate/opstate";

export const OUTSIDE: readonly SiteLink[] = [
  { label: "Docs", href: `${REPOSITORY}/tree/main/docs` },
  { label: "GitHub", href: REPOSITORY },
];
