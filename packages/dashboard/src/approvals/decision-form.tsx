import { Button, Group } from "@mantine/core";
import { IconCheck, IconPencil, IconX } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { isProblem } from "../api/problem-error.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { EditForm } from "./edit-form.tsx";
import { RejectForm } from "./reject-form.tsx";
import { useDecide } from "./use-decide.ts";

interface Props {
  readonly approval: Approval;
  readonly onEngaged: (isEngaged: boolean) => void;
  readonly onDecided: () => void;
}

/** Approve, edit and approve, or reject. */
export function DecisionForm({ approval, onEngaged, onDecided }: Props) {
  const [form, setForm] = useState<"edit" | "reject">();
  const { mutate, isPending, error, variables, reset } = useDecide(approval, () => {
    // The user's own decision needs no notice.
    onEngaged(false);
    onDecided();
  });
  const show = (next: typeof form) => {
    reset();
    setForm(next);
    onEngaged(next !== undefined);
  };
  const isInvalid = isProblem(error, "bad_parameters");
  const isFailure = error !== null && !isInvalid && !isProblem(error, "conflict");
  const { editable } = approval;
  return (
    <>
      {isFailure && <ProblemState error={error} />}
      {form === undefined && (
        <Group gap="xs">
          <Button
            size="sm"
            leftSection={<IconCheck size={16} aria-hidden />}
            loading={isPending && variables?.decision === "approve"}
            onClick={() => mutate({ decision: "approve" })}
          >
            Approve
          </Button>
          {editable !== null && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              disabled={isPending}
              onClick={() => show("edit")}
            >
              Edit and approve
            </Button>
          )}
          <Button
            size="sm"
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            disabled={isPending}
            onClick={() => show("reject")}
          >
            Reject
          </Button>
        </Group>
      )}
      {form === "edit" && editable !== null && (
        <EditForm
          field={editable}
          value={approval.subject[editable] ?? {}}
          problem={isInvalid ? error : undefined}
          isPending={isPending}
          onEdit={(value) => mutate({ decision: "edit", value })}
          onCancel={() => show(undefined)}
        />
      )}
      {form === "reject" && (
        <RejectForm
          isPending={isPending}
          onReject={(reason) => mutate({ decision: "reject", ...(reason !== "" && { reason }) })}
          onCancel={() => show(undefined)}
        />
      )}
    </>
  );
}
