import type { Approver } from "@tenterhook/engine";
import type { Task } from "./task.ts";

/** Lets a person decide at the coordinator when a hook on this machine answers `ask`. It ends with the run. */
export function approverOf({ askPerson }: Task): Approver {
  const approve: Approver = ({ event, hook, reason, notBy, payload, edits, signal }) => {
    // Only tool calls are asked about; of another event only the name would be reported.
    const { toolName, toolInput, toolUseId } = payload as {
      readonly toolName?: string;
      readonly toolInput?: Readonly<Record<string, unknown>>;
      readonly toolUseId?: string;
    };
    const subject = {
      event,
      ...(toolName !== undefined && { tool_name: toolName }),
      ...(toolInput !== undefined && { tool_input: toolInput }),
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      is_editable: edits !== undefined,
    };
    return askPerson({ hook, reason, ...(notBy !== undefined && { not_by: notBy }), subject }, signal);
  };
  // The coordinator knows who started the run and who decides.
  return Object.assign(approve, { enforcesNotBy: true });
}
