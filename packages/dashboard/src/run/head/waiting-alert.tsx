import { Stack, Text } from "@mantine/core";
import { IconHourglass } from "@tabler/icons-react";
import type { RunDetail, Waiting } from "@tenterhook/protocol/runs";
import { capitalized } from "../../components/capitalized.ts";
import { formatCount } from "../../components/format-count.ts";
import { RunLink } from "../../components/links.tsx";
import { AnchorLink } from "../../components/router-links.ts";
import { StartRunner } from "../../components/start-runner.tsx";
import { RunAlert } from "./run-alert.tsx";

interface Props {
  readonly run: RunDetail;
  readonly waiting: Waiting;
}

/** Why a run is in the queue, and what to do about it. */
export function WaitingAlert({ run, waiting }: Props) {
  const { detail, reason, position, more, tags, run_id } = waiting;
  const sentence = `${capitalized(detail)}.`;
  const isRunnerMissing = reason === "no_runner" || reason === "no_runner_with_tags";
  const number = `${formatCount(position)}${more ? "+" : ""}`;
  return (
    <RunAlert tone="waiting" icon={IconHourglass} title="Waiting for a runner" message={sentence}>
      <Stack gap={4} mt={6}>
        {run_id !== run.run_id && (
          <Text component="div" size="sm">
            The run of its hook waits:{" "}
            <RunLink id={run_id} ff="inherit" underline="always">
              View the hook's run
            </RunLink>
          </Text>
        )}
        {reason !== "position" && (
          <Text size="sm">
            Its position in the queue is {number}.
            {reason === "slots_busy" && " It starts when a slot is free, or when another runner connects:"}
          </Text>
        )}
        {isRunnerMissing && (
          <Text size="sm">
            Start a runner
            {tags.length > 0 && ` with the tag${tags.length === 1 ? "" : "s"} ${tags.join(", ")}`} on a
            machine that can reach this address:
          </Text>
        )}
        {(isRunnerMissing || reason === "slots_busy") && <StartRunner tags={tags} />}
        {isRunnerMissing && (
          <Text component="div" size="sm">
            <AnchorLink to="/runners" inherit underline="always">
              View the runners
            </AnchorLink>
          </Text>
        )}
      </Stack>
    </RunAlert>
  );
}
