import { Badge, type MantineColor } from "@mantine/core";
import type { RunSummary } from "@tenterhook/protocol/runs";

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
}: {
  readonly status: Status;
  readonly waitingFor?: RunSummary["waiting_for"];
}) {
  return (
    <Badge color={COLORS[status]} variant="light" radius="sm" tt="none" autoContrast>
      {waitingFor === null ? status : `${status}: ${waitingFor === "approval" ? "needs approval" : "hook"}`}
    </Badge>
  );
}
