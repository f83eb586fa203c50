import { Text } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { HookName } from "../hooks/hook-name.tsx";
import { HookRunLink } from "../hooks/hook-run-link.tsx";
import { type BlockOrigin, blockOrigin } from "./block-origin.ts";
import { RunAlert } from "./run-alert.tsx";

/** Why a run was blocked, and by what. */
export function BlockedAlert({ run, reason }: { readonly run: RunDetail; readonly reason: string }) {
  const origin = blockOrigin(run);
  return (
    <RunAlert tone="refused" icon={IconBan} title={formatTitle(origin)} message={reason}>
      {origin !== undefined && <Origin {...origin} />}
    </RunAlert>
  );
}

function formatTitle(origin: BlockOrigin | undefined): string {
  if (origin?.person !== undefined) return `Rejected by ${origin.person.decided_by}`;
  if (origin?.expired !== undefined) return "Approval expired";
  return origin?.hook.hook_type === "on_result" ? "Result blocked by a hook" : "Blocked by a hook";
}

function Origin({ hook, person, expired }: BlockOrigin) {
  return (
    <Text component="div" size="sm" mt={6}>
      {(person !== undefined || expired !== undefined) && "Requested by "}
      <HookName hook={hook} />
      <HookRunLink hook={hook} />
    </Text>
  );
}
