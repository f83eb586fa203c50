import { Stack } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMay } from "../../access/identity.ts";
import { ApprovalCard } from "../../approvals/approval-card.tsx";
import { CannotDecide } from "../../approvals/cannot-decide.tsx";
import { NewQuestions } from "../../approvals/new-questions.tsx";
import { useQuestionBoard } from "../../approvals/use-question-board.ts";

/** The pending approvals of a run, to be decided here, and those that were decided while the page was open. */
export function ApprovalAlerts({ run: { approvals } }: { readonly run: RunDetail }) {
  const mayDecide = useMay("decide");
  // A run has its oldest first, a board its newest.
  const newest = approvals.toReversed();
  const { cards, waiting, onDecided, showPending } = useQuestionBoard(
    newest.filter(({ state }) => state === "pending"),
    newest.filter(({ state }) => state !== "pending"),
  );
  if (cards.length === 0) return null;
  const isPending = cards.some(({ state }) => state === "pending");
  return (
    <Stack component="section" gap="sm" aria-label={isPending ? "Approval required" : "Approval decided"}>
      {cards.map((approval) => (
        <ApprovalCard key={approval.approval_id} approval={approval} onDecided={onDecided} isOfThisRun />
      ))}
      {isPending && !mayDecide && <CannotDecide />}
      <NewQuestions count={waiting.length} show={showPending} />
    </Stack>
  );
}
