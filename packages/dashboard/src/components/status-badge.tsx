import type { MantineColor } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { isBlocked, type RunSummary } from "@tenterhook/protocol/runs";
import { LightBadge } from "./light-badge.tsx";

type Status = RunSummary["status"];

const COLORS: Readonly<Record<Status, MantineColor>> = {
  pending: "gray",
  preparing: "indigo",
  ready: "gray",
  claimed: "blue",
  running: "blue",
  stopping: "orange",
  finishing: "indigo",
  completed: "green",
  failed: "red",
  stopped: "orange",
};

/** The state of a run, and what it waits for. */
export function StatusBadge({
  status,
  waitingFor = null,
  blockReason = null,
}: {
  readonly status: Status;
  /** A run that a hook or a person refused has the state failed in the coordinator; users need to distinguish the two. */
  readonly blockReason?: string | null;
  readonly waitingFor?: RunSummary["waiting_for"];
}) {
  if (isBlocked({ status, block_reason: blockReason })) {
    return (
      <LightBadge color="pink" icon={<IconHandStop size={12} aria-hidden />}>
        blocked
      </LightBadge>
    );
  }
  return (
    <LightBadge color={COLORS[status]}>
      {waitingFor === null ? status : `${status}: ${waitingFor === "approval" ? "needs approval" : "hook"}`}
    </LightBadge>
  );
}
