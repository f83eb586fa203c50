import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApprovalDecisionBody } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { isProblem } from "../api/problem-error.ts";
import { messageOf } from "../parts/problem-words.ts";

/** Decides a question. That somebody else was faster is no failure: it is said, and the list is read again. */
export function useDecide(approvalId: string, runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ApprovalDecisionBody) =>
      call("POST /approvals/{id}", { params: { id: approvalId }, body }),
    onError(error) {
      if (!isProblem(error, "conflict")) return;
      notifications.show({ color: "gray", title: "It was decided meanwhile", message: messageOf(error) });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["approvals"] }),
        client.invalidateQueries({ queryKey: ["run", runId] }),
      ]),
  });
}
