import { Button, Group, Stack, Title } from "@mantine/core";
import { IconCheckupList } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { ApprovalCard } from "./approval-card.tsx";
import { NewQuestions } from "./new-questions.tsx";
import classes from "./question-board.module.css";
import type { QuestionBoard as Board } from "./use-question-board.ts";

interface Props {
  readonly board: Board;
  readonly isFiltered: boolean;
  /** Below the cards. */
  readonly children?: ReactNode;
}

/** The pending approvals, and those that were decided while the user looked at them. */
export function QuestionBoard({ board, isFiltered, children }: Props) {
  const { cards, waiting, isCompact, onDecided, showPending } = board;
  const heading = useRef<HTMLHeadingElement>(null);
  const hasDecided = cards.some(({ state }) => state !== "pending");
  const show = () => {
    showPending();
    // The button disappears.
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  };
  return (
    <Stack gap="sm" component="section" aria-labelledby="waiting">
      <Group className={classes.head} gap="sm">
        <Title order={2} size="h5" id="waiting" ref={heading} tabIndex={-1} style={{ outline: "none" }}>
          Pending
        </Title>
        <NewQuestions count={waiting.length} show={show} />
        {waiting.length === 0 && hasDecided && (
          <Button size="compact-sm" variant="default" onClick={show}>
            Clear decided
          </Button>
        )}
      </Group>
      <Stack gap={isCompact ? 6 : "md"}>
        {cards.map((approval) => (
          <ApprovalCard
            key={approval.approval_id}
            approval={approval}
            isCompact={isCompact}
            onDecided={onDecided}
          />
        ))}
      </Stack>
      {cards.length === 0 && (
        <EmptyState
          icon={IconCheckupList}
          title={isFiltered ? "No matching approvals are pending" : "No pending approvals"}
        >
          When a hook answers "ask", its run waits here for a decision. The navigation and the tab title show
          how many are pending.
        </EmptyState>
      )}
      {children}
    </Stack>
  );
}
