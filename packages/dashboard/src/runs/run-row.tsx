import { Badge, VisuallyHidden } from "@mantine/core";
import { IconFishHook, IconUserQuestion } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { type ComponentProps, type MouseEvent, memo } from "react";
import { useNow } from "../components/clock.ts";
import { agoText } from "../components/durations.ts";
import { exactTime } from "../components/exact-time.ts";
import { shortId } from "../components/links.tsx";
import { durationParts } from "../components/run-duration.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { Duration } from "../components/times.tsx";
import { TrialBadge } from "../components/trial-badge.tsx";
import classes from "./run-row.module.css";

interface Props {
  readonly run: RunSummary;
  readonly index: number;
  /** From the top of the list, in pixels. */
  readonly top: number;
  readonly isSelected: boolean;
  /** Undefined for users who cannot stop or retry runs. */
  readonly onSelect: ((id: string, isSelected: boolean) => void) | undefined;
}

/**
 * A run on one line, or on two on a narrow screen. The whole row is a link. Scrolling renders dozens of rows a second, so it
 * uses plain elements, which are cheaper than the library's components.
 */
export const RunRow = memo(function RunRow({ run, index, top, isSelected, onSelect }: Props) {
  const { run_id, agent_name, status, kind, session_id, created_at, started_at, finished_at } = run;
  const waiting = run.hook_waiting ? `A hook waits: ${run.hook_waiting}` : null;
  const reason = run.block_reason ?? run.error ?? run.stop_reason ?? waiting;
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      data-run={run_id}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td className={classes.status}>
        {onSelect !== undefined && (
          <input
            type="checkbox"
            className={classes.select}
            aria-label={`Select ${agent_name} ${shortId(run_id)}`}
            checked={isSelected}
            onChange={(event) => onSelect(run_id, event.currentTarget.checked)}
          />
        )}
        <StatusBadge status={status} blockReason={run.block_reason} />
      </td>
      <td className={classes.agent}>
        <RowLink
          to="/runs/$id"
          id={run_id}
          className={classes.link}
          title={reason === null ? `${agent_name}, ${run_id}` : `${agent_name}, ${run_id}\n${reason}`}
        >
          <span className={classes.name}>{agent_name}</span>{" "}
          <span className={classes.id}>{shortId(run_id)}</span>
        </RowLink>
      </td>
      <td className={classes.about}>{reason?.split("\n", 1)[0] ?? run.result_line}</td>
      <td className={classes.hooks}>
        <HookBadges run={run} />
      </td>
      <td className={classes.kind}>{kind}</td>
      <td className={classes.session}>
        <RowLink to="/sessions/$id" id={session_id} title={session_id}>
          {shortId(session_id)}
        </RowLink>
      </td>
      <td className={classes.created}>
        <Created time={created_at} />
      </td>
      <td className={classes.duration}>
        <span title={durationParts(run)}>
          {started_at === null ? "–" : <Duration from={started_at} to={finished_at} />}
        </span>
      </td>
    </tr>
  );
});

function Created({ time }: { readonly time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={exactTime(time)}>
      {agoText(now - Date.parse(time))}
    </time>
  );
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

interface RowLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  readonly to: "/runs/$id" | "/sessions/$id";
  readonly id: string;
}

/** A link in a row of a long list: a plain anchor, which costs a fraction of the router's own link to render. */
function RowLink({ to, id, ...rest }: RowLinkProps) {
  const router = useRouter();
  const open = (event: MouseEvent) => {
    // Other presses are the browser's: a new tab, a new window, a download.
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain) return;
    event.preventDefault();
    void router.navigate({ to, params: { id } });
  };
  return <a {...rest} href={to.replace("$id", encodeURIComponent(id))} onClick={open} />;
}
