import type { RunEvent } from "@tenterhook/protocol/runs";
import { groupOf } from "./event-groups.ts";

/** Which events to show. Empty filters match everything. */
export interface EventFilters {
  /** Types, or groups of them. */
  readonly types: readonly string[];
  readonly agent: string;
  /** A run or session id, or the beginning of one. */
  readonly about: string;
  readonly text: string;
}

type SearchParams = Readonly<Record<string, string | undefined>>;

export function filtersFromSearch({
  types = "",
  agent = "",
  about = "",
  text = "",
}: SearchParams): EventFilters {
  return { types: types.split(",").filter((type) => type !== ""), agent, about, text };
}

export function searchFromFilters({ types, agent, about, text }: EventFilters): SearchParams {
  return { types: types.join(","), agent, about, text };
}

export function isFiltered({ types, agent, about, text }: EventFilters): boolean {
  return types.length > 0 || agent !== "" || about.trim() !== "" || text.trim() !== "";
}

/** A predicate for events. `agentOf` returns the agent of a run, if it is known. */
export function eventFilter(
  { types, agent, about, text }: EventFilters,
  agentOf: (runId: string) => string | undefined,
): (event: RunEvent) => boolean {
  const wanted = new Set(types);
  const id = about.trim();
  const needle = text.trim().toLowerCase();
  return (event) => {
    const { event_type: type, run_id, session_id } = event;
    if (wanted.size > 0 && !wanted.has(type) && !wanted.has(groupOf(type) ?? "")) return false;
    if (agent !== "" && (run_id === null || agentOf(run_id) !== agent)) return false;
    if (id !== "" && run_id?.startsWith(id) !== true && session_id?.startsWith(id) !== true) return false;
    return needle === "" || wholeText(event).includes(needle);
  };
}

/** Cached per event: the text is searched after every key press. */
const texts = new WeakMap<RunEvent, string>();

function wholeText(event: RunEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event).toLowerCase();
  texts.set(event, text);
  return text;
}
