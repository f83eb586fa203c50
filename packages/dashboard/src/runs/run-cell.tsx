import { Badge, VisuallyHidden } from "@mantine/core";
import { IconFishHook, IconUserQuestion } from "@tabler/icons-react";
import { costText, type Prices, type RunSummary, tokensText, totalUsage } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { shortId } from "../components/links.tsx";
import { RowLink } from "../components/row-link.tsx";
import { durationParts } from "../components/run-duration.tsx";
import { Duration, RowAgo } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";
import { Passage } from "./passage.tsx";
import { type ColumnName, describeEnd, readCost } from "./run-columns.ts";
import classes from "./run-row.module.css";

interface Props {
  readonly run: RunSummary;
  readonly prices: Prices | undefined;
  /** Of links. */
  readonly tabIndex: number;
}

type Cell = (props: Props) => ReactNode;

/** What columns show of a run; status and agent are cells of every row. */
export const RUN_CELLS: Readonly<Record<Exclude<ColumnName, "status" | "agent">, Cell>> = {
  input: ({ run }) => run.input_line,
  about: ({ run }) => (run.found ? <Passage found={run.found} /> : describeEnd(run)),
  hooks: ({ run }) => <HookBadges run={run} />,
  kind: ({ run }) => run.kind,
  session: ({ run: { session_id }, tabIndex }) => (
    <RowLink to="/sessions/$id" id={session_id} title={session_id} tabIndex={tabIndex}>
      {shortId(session_id)}
    </RowLink>
  ),
  by: ({ run }) => run.created_by,
  tokens: ({ run }) => <Tokens run={run} />,
  cost: ({ run, prices }) => {
    const cost = readCost(run, prices);
    return cost === undefined || prices === undefined ? "–" : costText(cost, prices.currency);
  },
  created: ({ run }) => <RowAgo time={run.created_at} />,
  duration: ({ run }) => (
    <span title={durationParts(run)}>
      {run.started_at === null ? "–" : <Duration from={run.started_at} to={run.finished_at} />}
    </span>
  ),
};

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function Tokens({ run: { usage } }: { readonly run: RunSummary }) {
  const total = usage === null ? undefined : totalUsage(usage.map(({ model: _model, ...tokens }) => tokens));
  if (total === undefined) return "–";
  return <span title={tokensText(total)}>{COMPACT.format(total.input_tokens + total.output_tokens)}</span>;
}

/** Badges about the hooks of a run: it is a trial of one, has hooks, a hook is running, or it needs approval. */
function HookBadges({ run }: { readonly run: RunSummary }) {
  const { has_hooks, waiting_for, trial } = run;
  return (
    <>
      {has_hooks && (
        <span className={classes.hook} title="This run has hooks">
          <IconFishHook size={16} aria-hidden />
          <VisuallyHidden>has hooks</VisuallyHidden>
        </span>
      )}
      {trial && <TrialBadge className={classes.badge} />}
      {waiting_for === "approval" && (
        <Badge
          className={classes.badge}
          color="violet"
          variant="light"
          radius="sm"
          tt="none"
          leftSection={<IconUserQuestion size={12} aria-hidden />}
        >
          needs approval
        </Badge>
      )}
      {waiting_for === "hook" && (
        <Badge className={classes.badge} color="blue" variant="light" radius="sm" tt="none">
          hook running
        </Badge>
      )}
    </>
  );
}
