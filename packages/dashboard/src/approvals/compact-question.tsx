import { ActionIcon } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { AgentLink, RunLink } from "../components/links.tsx";
import { Ago } from "../components/times.tsx";
import { subjectParts, timingText } from "./approval-labels.ts";
import classes from "./compact-question.module.css";

interface Props {
  readonly approval: Approval;
  readonly titleId: string;
  readonly onOpen: () => void;
  /** The time left, and the buttons. */
  readonly children: ReactNode;
}

/** A question on two lines: its reason and value, then who asks about what. Opened, its card has the rest. */
export function CompactQuestion({ approval, titleId, onOpen, children }: Props) {
  const { agent_name, asked_by, reason, run_id } = approval;
  const { main, tool } = subjectParts(approval);
  const value = JSON.stringify(main);
  return (
    <div className={classes.question}>
      <DetailsButton isOpen={false} onClick={onOpen} />
      <div className={classes.text}>
        <div className={classes.line}>
          <h3 className={classes.reason} id={titleId} title={reason}>
            {reason}
          </h3>
          <code className={classes.value} title={value}>
            {tool !== undefined && `${tool} `}
            {value}
          </code>
        </div>
        <div className={classes.about}>
          {asked_by} asks {timingText(approval)}
          {agent_name !== null && (
            <>
              {" · "}
              <AgentLink name={agent_name} inherit underline="always" />
            </>
          )}
          {" · "}
          <RunLink id={run_id} inherit underline="always" /> · <Ago time={approval.created_at} />
        </div>
      </div>
      {children}
    </div>
  );
}

/** Opens or closes the details of a card. */
export function DetailsButton({
  isOpen,
  onClick,
}: {
  readonly isOpen: boolean;
  readonly onClick: () => void;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-expanded={isOpen}
      aria-label="Details"
      onClick={onClick}
    >
      <IconChevronRight size={16} aria-hidden className={classes.chevron} />
    </ActionIcon>
  );
}
