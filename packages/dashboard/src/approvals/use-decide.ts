import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Approval, ApprovalDecisionBody } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem-error.ts";
import { messageOf } from "../parts/problem-words.ts";

/** Decides a question. That somebody else was faster is no failure: it is said, and the list is read again. */
export function useDecide({ approval_id, run_id }: Approval, onDecided: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ApprovalDecisionBody) =>
      call("POST /approvals/{id}", { params: { id: approval_id }, body }),
    // Here and not where it is called: the question is gone with the answer, and whoever asked with it.
    onSuccess: onDecided,
    onError(error) {
      if (!isProblem(error, "conflict")) return;
      notifications.show({ color: "gray", title: "It was decided meanwhile", message: messageOf(error) });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["approvals"] }),
        client.invalidateQueries({ queryKey: ["run", run_id] }),
      ]),
  });
}
