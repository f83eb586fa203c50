import { Alert, Badge, Card, Code, Group, Stack, Text, Title } from "@mantine/core";
import { IconClockHour4, IconUserOff } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import { type ApprovalBar, describeBar } from "@tenterhook/protocol/runs";
import { type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { useMay } from "../access/identity.ts";
import { useNow } from "../components/clock.ts";
import { Disclosure } from "../components/disclosure.tsx";
import { JsonView } from "../components/json-view.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { Ago } from "../components/times.tsx";
import { exclusionText, subjectParts, timeLeftText, timingText } from "./approval-labels.ts";
import { CompactQuestion, DetailsButton } from "./compact-question.tsx";
import { Decision, DecisionBadge } from "./decision.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { useSteady } from "./use-steady.ts";

interface Props {
  readonly approval: Approval;
  readonly onDecided: (decided: Approval) => void;
  /** Small until it is opened. */
  readonly isCompact?: boolean;
  /** The card is on the page of its run, which already shows the run. */
  readonly isOfThisRun?: boolean;
}

/**
 * A question: the reason, the hook, the subject, the time left, and the form to decide it. Once it is decided the card keeps its
 * place and its height, and shows the decision.
 */
export function ApprovalCard({ approval, onDecided, isCompact = false, isOfThisRun = false }: Props) {
  const [isOpen, setOpen] = useState(!isCompact);
  const title = useId();
  const { card, steady, presses } = useSteady<HTMLDivElement>();
  const mayDecide = useMay("decide");
  const { main, title: mainTitle, tool } = subjectParts(approval);
  const isWhole = main === approval.subject;
  const { agent_name, reason, state, barred } = approval;
  const exclusion = exclusionText(approval);
  const isPending = state === "pending";
  const toggle = () => {
    setOpen(!isOpen);
    steady.disturb();
  };
  const form = isPending && mayDecide && barred === null && (
    <DecisionForm
      approval={approval}
      isCompact={!isOpen}
      steady={steady}
      onDecided={(decided) => {
        onDecided(decided);
        // The focused button disappears with the form.
        card.current?.focus({ preventScroll: true });
      }}
    />
  );
  useKeptHeight(card, isPending);
  return (
    <Card
      withBorder
      padding={isOpen ? "md" : "xs"}
      bg="var(--mantine-color-body)"
      component="article"
      ref={card}
      tabIndex={-1}
      style={{ outline: "none" }}
      {...presses}
      {...(isPending ? { "aria-labelledby": title } : { "aria-label": `${state}: ${reason}` })}
    >
      {isOpen ? (
        <Stack gap="sm">
          <Group justify="space-between" align="flex-start" gap="xs">
            {isCompact && <DetailsButton isOpen onClick={toggle} />}
            <Title
              order={isOfThisRun ? 2 : 3}
              size="h4"
              id={title}
              style={{ flex: "1 1 240px", overflowWrap: "anywhere" }}
            >
              {reason}
            </Title>
            {isPending ? <TimeLeft expiresAt={approval.expires_at} /> : <DecisionBadge state={state} />}
          </Group>
          <Text size="sm" component="div">
            <Code>{approval.asked_by}</Code> asks {timingText(approval)}
            {tool !== undefined && (
              <>
                {" "}
                of <Code>{tool}</Code>
              </>
            )}
            {!isOfThisRun && agent_name !== null && (
              <>
                {" · agent "}
                <AgentLink name={agent_name} inherit />
              </>
            )}
            {!isOfThisRun && (
              <>
                {" · "}
                <RunLink id={approval.run_id} />
              </>
            )}
            {" · "}
            <Ago time={approval.created_at} />
          </Text>
          {exclusion !== undefined && (
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {exclusion}
            </Text>
          )}
          <Stack gap={4}>
            <Text size="xs" fw={600} c="dimmed">
              {mainTitle}
            </Text>
            <JsonView value={main} label={mainTitle} />
          </Stack>
          {!isWhole && (
            <Disclosure label="Full input of the hook">
              <JsonView value={approval.subject} label="subject" />
            </Disclosure>
          )}
          {isPending && mayDecide && barred !== null && <Barred bar={barred} />}
          {form}
          {!isPending && <Decision approval={approval} />}
        </Stack>
      ) : (
        <CompactQuestion approval={approval} titleId={title} onOpen={toggle}>
          {isPending ? <TimeLeft expiresAt={approval.expires_at} /> : <Decision approval={approval} />}
          {form}
        </CompactQuestion>
      )}
    </Card>
  );
}

/** Keeps the height that the card had with its form, so that the cards below it do not move. */
function useKeptHeight(card: RefObject<HTMLElement | null>, isPending: boolean): void {
  const height = useRef(0);
  useLayoutEffect(() => {
    if (card.current === null) return;
    if (isPending) height.current = card.current.getBoundingClientRect().height;
    else card.current.style.minHeight = `${height.current}px`;
  });
}

const SOON_MS = 60_000;

function TimeLeft({ expiresAt }: { readonly expiresAt: string }) {
  const now = useNow();
  const isSoon = Date.parse(expiresAt) - now < SOON_MS;
  return (
    <Badge
      variant={isSoon ? "filled" : "default"}
      color="red"
      radius="sm"
      tt="none"
      leftSection={<IconClockHour4 size={14} aria-hidden />}
      style={{ fontVariantNumeric: "tabular-nums" }}
    >
      {timeLeftText(expiresAt, now)}
    </Badge>
  );
}

/** Why a user who may decide other approvals sees this one without buttons. */
function Barred({ bar }: { readonly bar: ApprovalBar }) {
  const { detail, hint } = describeBar(bar);
  return (
    <Alert color="yellow" variant="light" icon={<IconUserOff aria-hidden />} title={sentence(detail)}>
      {hint}
    </Alert>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
