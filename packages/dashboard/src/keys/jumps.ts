import type { RunSummary } from "@tenterhook/protocol/runs";
import { MORE_PAGES, PAGES } from "../app/pages.ts";

/** Somewhere to go. */
export interface Jump {
  readonly kind: "page" | "agent" | "hook" | "run";
  readonly name: string;
  readonly href: string;
}

const MAX_JUMPS = 40;

interface Known {
  readonly agents: readonly string[];
  readonly hooks: readonly string[];
  readonly runs: readonly Pick<RunSummary, "run_id" | "agent_name" | "status">[];
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
    ({ run_id, agent_name, status }): Jump => ({
      kind: "run",
      name: `${agent_name} ${run_id}, ${status}`,
      href: `/runs/${run_id}`,
    }),
  );
  return [...starts, ...contains, ...found].slice(0, MAX_JUMPS);
}
