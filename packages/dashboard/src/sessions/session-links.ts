import type { SessionSummary } from "@tenterhook/protocol/runs";
import { countText } from "../components/count-text.ts";

/** How a session is related to its parent: a label and a sentence. */
export const LINK_LABELS: Readonly<
  Record<NonNullable<SessionSummary["parent_link"]>, { readonly label: string; readonly means: string }>
> = {
  hook: { label: "hook", means: "It runs a hook of its parent session" },
  chained: { label: "chained", means: "A finish hook started it after a run of its parent session" },
  callback: {
    label: "callback",
    means: "Its result resumes its parent session",
  },
  client: { label: "subtask", means: "A client started it on behalf of its parent session" },
};

/** The number of child sessions: `3 sessions`. */
export function childrenText(count: number): string {
  return countText(count, "session");
}

/** Which sessions are listed: root sessions, or all matches of a search at any depth. */
export function listFilters(search: Readonly<Record<string, string | undefined>>): {
  readonly parent?: "none";
  readonly agent?: string;
  readonly search?: string;
} {
  const { agent, search: text } = search;
  const isSearch = (agent ?? "") !== "" || (text ?? "") !== "";
  return isSearch ? { ...(agent && { agent }), ...(text && { search: text }) } : { parent: "none" };
}
