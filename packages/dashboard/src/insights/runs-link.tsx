import type { ReactNode } from "react";
import { AnchorLink } from "../components/router-links.ts";
import type { RunSearch } from "./chart-data.ts";
import { describeRemoved } from "./removed-runs.ts";
import { useInsights } from "./shown-insights.ts";

interface Props {
  readonly search: RunSearch;
  /** For screen readers, without its end: `12 failed, Monday`. */
  readonly name: string;
  readonly fw?: number;
  readonly children: ReactNode;
}

/** A number that leads to the runs behind it, and says how many of them have been removed. */
export function RunsLink({ search, name, fw, children }: Props) {
  const removed = describeRemoved(useInsights(), search);
  return (
    <AnchorLink
      to="/runs"
      search={search}
      inherit
      underline="always"
      aria-label={removed === undefined ? `${name}: runs` : `${name}: runs. ${removed}`}
      title={removed}
      {...(fw !== undefined && { fw })}
    >
      {children}
    </AnchorLink>
  );
}
