import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { Approval, ApprovalDecisionBody } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";

/** Decides an approval. If it was already decided, the user gets a notice and the list is read again. */
export function useDecide({ approval_id, run_id }: Approval, onDecided: (decided: Approval) => void) {
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
