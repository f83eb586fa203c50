import { Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { Approval, ApprovalDecisionBody } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { EditForm } from "./edit-form.tsx";
import { RejectForm } from "./reject-form.tsx";
import { SteadyButton } from "./steady-button.tsx";
import type { Steady } from "./use-steady.ts";

interface Props {
  readonly approval: Approval;
  /** Small buttons, without that to edit. */
  readonly isCompact?: boolean;
  readonly steady: Steady;
  readonly onDecided: (decided: Approval) => void;
}

/** Approve, edit and approve, or reject. */
export function DecisionForm({ approval, isCompact = false, steady, onDecided }: Props) {
  const size = isCompact ? "xs" : "sm";
  const [form, setForm] = useState<"edit" | "reject">();
  const { mutate, isPending, error, variables, reset } = useDecide(approval, onDecided);
  const show = (next: typeof form) => {
    reset();
    setForm(next);
    steady.disturb();
  };
  const isInvalid = isProblem(error, "bad_parameters");
  const isFailure = error !== null && !isInvalid && !isProblem(error, "conflict");
  const { editable } = approval;
  return (
    <>
      {isFailure && <ProblemState error={error} />}
      {form === undefined && (
        <Group gap="xs" wrap={isCompact ? "nowrap" : "wrap"}>
          <SteadyButton
            size={size}
            steady={steady}
            leftSection={<IconCheck size={16} aria-hidden />}
            loading={isPending && variables?.decision === "approve"}
            onPress={() => mutate({ decision: "approve" })}
          >
            Approve
          </SteadyButton>
          {editable !== null && !isCompact && (
            <SteadyButton
              size={size}
              variant="default"
              steady={steady}
              leftSection={<IconPencil size={16} aria-hidden />}
              disabled={isPending}
              onPress={() => show("edit")}
            >
              Edit and approve
            </SteadyButton>
          )}
          <SteadyButton
            size={size}
            variant="default"
            steady={steady}
            leftSection={<IconX size={16} aria-hidden />}
            disabled={isPending}
            onPress={() => show("reject")}
          >
            Reject
          </SteadyButton>
        </Group>
      )}
      {form === "edit" && editable !== null && (
        <EditForm
          field={editable}
          value={approval.subject[editable] ?? {}}
          problem={isInvalid ? error : undefined}
          isPending={isPending}
          steady={steady}
          onEdit={(value) => mutate({ decision: "edit", value })}
          onCancel={() => show(undefined)}
        />
      )}
      {form === "reject" && (
        <RejectForm
          isPending={isPending}
          steady={steady}
          onReject={(reason) => mutate({ decision: "reject", ...(reason !== "" && { reason }) })}
          onCancel={() => show(undefined)}
        />
      )}
    </>
  );
}

/** Decides an approval. If it was already decided, the user gets a notice and the list is read again. */
function useDecide({ approval_id, run_id }: Approval, onDecided: (decided: Approval) => void) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (body: ApprovalDecisionBody) =>
      call("POST /approvals/{id}", { params: { id: approval_id }, body }),
    // Not passed to `mutate`: the form is unmounted when the approval is decided.
    onSuccess: onDecided,
    onError(error) {
      if (!isProblem(error, "conflict")) return;
      notifications.show({ color: "gray", title: "Already decided", message: errorMessage(error) });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["approvals"] }),
        client.invalidateQueries({ queryKey: ["run", run_id] }),
      ]),
  });
}
