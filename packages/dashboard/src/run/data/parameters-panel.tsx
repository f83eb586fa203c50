import { Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { DiffView } from "../../parts/diff-view.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { HookName } from "../hooks/hook-name.tsx";
import { Opening } from "../opening.tsx";
import { Panel } from "./panel.tsx";

/** What went in; and what hooks or people made of it, when they did. */
export function ParametersPanel({ run }: { readonly run: RunDetail }) {
  const { parameters, original_parameters } = run;
  if (original_parameters === null) {
    return (
      <Panel title="Parameters">
        <JsonView value={parameters} label="the parameters" />
      </Panel>
    );
  }
  return (
    <Panel title="Parameters, as they were changed">
      <ChangedBy run={run} />
      <DiffView before={original_parameters} after={parameters} label="What was changed in the parameters" />
      <Opening label="What the client sent">
        <JsonView value={original_parameters} label="the original parameters" />
      </Opening>
      <Opening label="What the agent got">
        <JsonView value={parameters} label="the parameters" />
      </Opening>
    </Panel>
  );
}

/** A person who was asked may have changed them, and not the hook that asked. */
function ChangedBy({ run: { hooks, approvals } }: { readonly run: RunDetail }) {
  const hook = hooks.find(({ hook_type }) => hook_type === "on_run_start");
  const approval = approvals.findLast(
    ({ hook_id, state }) => hook_id === hook?.hook_id && state === "approved",
  );
  if (approval !== undefined && approval.decision?.type === "edit") {
    return <Text size="sm">Edited by {approval.decided_by ?? "somebody"}, who was asked.</Text>;
  }
  if (hook === undefined) return null;
  return (
    <Text size="sm" component="div">
      Changed at <HookName hook={hook} />.
    </Text>
  );
}
