import { Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { DiffView } from "../../components/diff-view.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { HookName } from "../hooks/hook-name.tsx";
import { Panel } from "./panel.tsx";

/** The parameters, with a diff if a hook or a user changed them. */
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
    <Panel title="Changed parameters">
      <ChangedBy run={run} />
      <DiffView before={original_parameters} after={parameters} label="Changes of the parameters" />
      <Disclosure label="Original parameters">
        <JsonView value={original_parameters} label="the original parameters" />
      </Disclosure>
      <Disclosure label="Final parameters">
        <JsonView value={parameters} label="the parameters" />
      </Disclosure>
    </Panel>
  );
}

/** The change may come from the hook, or from the user who decided its approval. */
function ChangedBy({ run: { hooks, approvals } }: { readonly run: RunDetail }) {
  const hook = hooks.find(({ hook_type }) => hook_type === "on_run_start");
  const approval = approvals.findLast(
    ({ hook_id, state }) => hook_id === hook?.hook_id && state === "approved",
  );
  if (approval !== undefined && approval.decision?.type === "edit") {
    return <Text size="sm">Edited by {approval.decided_by ?? "an approver"} in the approval.</Text>;
  }
  if (hook === undefined) return null;
  return (
    <Text size="sm" component="div">
      Changed by <HookName hook={hook} />.
    </Text>
  );
}
