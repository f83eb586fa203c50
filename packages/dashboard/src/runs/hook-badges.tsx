import { Badge, VisuallyHidden } from "@mantine/core";
import { IconFishHook, IconUserQuestion } from "@tabler/icons-react";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { TrialBadge } from "../components/trial-badge.tsx";
import classes from "./run-row.module.css";

/** Badges about the hooks of a run: it is a trial of one, has hooks, a hook is running, or it needs approval. */
export function HookBadges({ run }: { readonly run: RunSummary }) {
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
