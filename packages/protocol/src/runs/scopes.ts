/** What a token is for. Apart from the schemas, so that the page can tell scopes apart without loading them. */
export const SCOPES = ["admin", "client", "reviewer", "runner", "viewer"] as const;
export type Scope = (typeof SCOPES)[number];
