import type { SessionSummary } from "@tenterhook/protocol/runs";

/** What a session is to its parent, in a word and in a sentence. */
export const LINK_WORDS: Readonly<
  Record<NonNullable<SessionSummary["parent_link"]>, { readonly word: string; readonly means: string }>
> = {
  hook: { word: "hook", means: "It carries out a hook of the session above it" },
  chained: { word: "chained", means: "A finish hook started it when a run above it had ended" },
  callback: {
    word: "calls back",
    means: "When it has ended, the session above it is resumed with the result",
  },
  client: { word: "subtask", means: "A client started it in the name of the session above it" },
};

/** What an operator must be told before they unfold: `3 sessions came of ses_…`. */
export function childrenText(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

/** Which sessions are listed: the roots, or everything that a search finds at whatever depth. */
export function listFilters(search: Readonly<Record<string, string | undefined>>): {
  readonly parent?: "none";
  readonly agent?: string;
  readonly search?: string;
} {
  const { agent, search: text } = search;
  const isSearch = (agent ?? "") !== "" || (text ?? "") !== "";
  return isSearch ? { ...(agent && { agent }), ...(text && { search: text }) } : { parent: "none" };
}
