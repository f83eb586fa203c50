import { Badge, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconFishHook, IconHandStop, IconUserQuestion } from "@tabler/icons-react";
import type { RunSummary } from "@tenterhook/protocol/runs";
import classes from "./run-row.module.css";

/** Badges about the hooks of a run: it has hooks, a hook is running, it needs approval, or a hook blocked it. */
export function HookBadges({ run }: { readonly run: RunSummary }) {
  const { has_hooks, waiting_for, block_reason } = run;
  return (
    <>
      {has_hooks && (
        <span className={classes.hook} title="This run has hooks">
          <IconFishHook size={16} aria-hidden />
          <VisuallyHidden>has hooks</VisuallyHidden>
        </span>
      )}
      {block_reason !== null && (
        <Tooltip label={block_reason} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
          <Badge
            className={classes.badge}
            color="red"
            variant="light"
            radius="sm"
            tt="none"
            leftSection={<IconHandStop size={12} aria-hidden />}
          >
            hook blocked<VisuallyHidden>: {block_reason}</VisuallyHidden>
          </Badge>
        </Tooltip>
      )}
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
