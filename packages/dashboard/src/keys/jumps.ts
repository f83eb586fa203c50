import { type RunSummary, runStatus, statusLabel, statusText } from "@tenterhook/protocol/runs";
import { MORE_PAGES, PAGES } from "../components/pages.ts";

/** Somewhere to go. */
export interface Jump {
  readonly kind: "page" | "filter" | "agent" | "hook" | "run";
  readonly name: string;
  readonly href: string;
}

const MAX_JUMPS = 40;

interface Known {
  readonly agents: readonly string[];
  readonly hooks: readonly string[];
  readonly runs: readonly Pick<
    RunSummary,
    "run_id" | "agent_name" | "status" | "block_reason" | "waiting_for"
  >[];
}

/** Where a text may lead: names that begin with it first, then names that contain it. */
export function jumps(text: string, { agents, hooks, runs }: Known): readonly Jump[] {
  const wanted = text.trim().toLowerCase();
  const named: Jump[] = [
    ...[...PAGES, ...MORE_PAGES].map(({ to, label }) => ({ kind: "page", name: label, href: to }) as const),
    ...agents.map((name) => ({ kind: "agent", name, href: `/agents/${encodeURIComponent(name)}` }) as const),
    ...hooks.map((name) => ({ kind: "hook", name, href: `/hooks/${encodeURIComponent(name)}` }) as const),
  ];
  const starts = named.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const contains = named.filter(
    ({ name }) => !name.toLowerCase().startsWith(wanted) && name.toLowerCase().includes(wanted),
  );
  const found = runs.map(
    (run): Jump => ({
      kind: "run",
      name: `${run.agent_name} ${run.run_id}, ${statusText(run)}`,
      href: `/runs/${run.run_id}`,
    }),
  );
  return [...starts, ...filters(wanted), ...contains, ...found].slice(0, MAX_JUMPS);
}

/** The lists of runs in a status that begins with the text. */
function filters(wanted: string): readonly Jump[] {
  if (wanted === "") return [];
  return runStatus.options
    .filter((status) => statusLabel(status).startsWith(wanted))
    .map((status) => ({
      kind: "filter",
      name: `Runs: ${statusLabel(status)}`,
      href: `/runs?status=${status}`,
    }));
}
