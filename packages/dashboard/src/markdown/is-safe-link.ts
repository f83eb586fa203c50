const SCHEMES = ["http:", "https:", "mailto:"];

/** Whether a link of an agent may be followed: a complete address of the web or of mail, and nothing that a browser would run. */
export function isSafeLink(href: string): boolean {
  return SCHEMES.includes(readUrl(href)?.protocol ?? "");
}

/** Where a link leads: `docs.example.com`. Undefined for one that must not be followed. */
export function linkTarget(href: string): string | undefined {
  const url = readUrl(href);
  if (url === undefined || !isSafeLink(href)) return undefined;
  return url.protocol === "mailto:" ? url.pathname : url.host;
}

/** A relative address is not read: in the text of an agent it does not mean a page of this site. */
function readUrl(href: string): URL | undefined {
  return URL.canParse(href) ? new URL(href) : undefined;
}
