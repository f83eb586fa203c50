/** What a token is for. Apart from the schemas, so that the page can tell scopes apart without loading them. */
export const SCOPES = ["admin", "client", "reviewer", "runner", "viewer"] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that can read the page; `runner` is for programs. */
export const PAGE_SCOPES = ["admin", "client", "reviewer", "viewer"] as const satisfies readonly Scope[];
