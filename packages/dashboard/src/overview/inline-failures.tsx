import { useQuery } from "@tanstack/react-query";
import type { Insights } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { AnchorLink } from "../components/router-links.ts";
import { visibleText } from "../components/visible-text.ts";
import { decidedRuns } from "../insights/counted-runs.ts";
import { insightsQuery } from "../insights/insights-query.ts";
import { findInlineKeys } from "./failing-hooks.ts";

interface Props {
  /** What the hook calls. */
  readonly name: string;
  readonly event: string;
  readonly period: Pick<Insights, "since" | "until">;
  readonly children: ReactNode;
}

/** The failures of a hook of blueprints. It is counted by what it calls; the runs are found by the agents that have it. */
export function InlineFailures({ name, event, period, children }: Props) {
  const { since, until } = period;
  const { data } = useQuery(insightsQuery({ since, until, hook: name }));
  const [first, ...others] = data === undefined ? [] : findInlineKeys(data, event);
  if (first === undefined) return children;
  const link = (hook: string, text: ReactNode) => (
    <AnchorLink
      to="/runs"
      search={decidedRuns(period, ["failed"], { hook })}
      inherit
      underline="always"
      key={hook}
    >
      {text}
    </AnchorLink>
  );
  if (others.length === 0) return link(first.key, children);
  return (
    <>
      {children}, in runs of{" "}
      {[first, ...others].map(({ key, agent }, index) => (
        <span key={key}>
          {index > 0 && ", "}
          {link(key, visibleText(agent))}
        </span>
      ))}
    </>
  );
}
