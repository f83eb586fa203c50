import { Code, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlayerStop } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { HookName } from "../hooks/hook-name.tsx";
import { HookRunLink } from "../hooks/hook-run-link.tsx";
import { failureAdvice } from "./failure-advice.ts";
import { RunAlert } from "./run-alert.tsx";

/** The full error, and what to do about it if known. */
export function FailureAlert({ run, error }: { readonly run: RunDetail; readonly error: string }) {
  const { status, error_code, hooks } = run;
  const isStopped = status === "stopped";
  const advice = failureAdvice(error_code);
  const hook = error_code === "hook_failed" ? hooks.findLast(({ state }) => state === "failed") : undefined;
  return (
    <RunAlert
      tone={isStopped ? "stopped" : "failed"}
      icon={isStopped ? IconPlayerStop : IconAlertTriangle}
      title={isStopped ? "Stopped" : "Failed"}
      message={error}
    >
      {hook !== undefined && (
        <Text component="div" size="sm" mt={6}>
          <HookName hook={hook} />
          <HookRunLink hook={hook} />
        </Text>
      )}
      {error_code !== null && (
        <Text component="div" size="sm" mt={6}>
          <Code>{error_code}</Code> {advice}
        </Text>
      )}
    </RunAlert>
  );
}
