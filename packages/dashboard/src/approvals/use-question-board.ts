import type { Approval } from "@tenterhook/protocol/runs";
import { useState } from "react";

export interface QuestionBoard {
  /** The cards, in a fixed order. Decided ones stay. */
  readonly cards: readonly Approval[];
  /** Many cards are small until they are opened. As long as cards stay where they are, so does this. */
  readonly isCompact: boolean;
  /** Pending approvals that have no card yet. */
  readonly waiting: readonly Approval[];
  /** A user has decided one of the cards. */
  readonly onDecided: (decided: Approval) => void;
  /** Shows the waiting approvals, and removes the decided cards. */
  readonly showPending: () => void;
}

/** With more cards than this, they are compact. */
const MAX_DETAILED = 3;

/**
 * The cards of the page. A card stays where it is until the user asks for others, so that no press reaches a question that has just
 * taken the place of another.
 */
export function useQuestionBoard(pending: readonly Approval[], resolved: readonly Approval[]): QuestionBoard {
  const [held, setHeld] = useState<ReadonlyMap<string, Approval>>(new Map());
  const [isCompact, setCompact] = useState(false);
  const showPending = () => {
    setHeld(byId(pending));
    setCompact(pending.length > MAX_DETAILED);
  };
  // On an empty board no card can move; nor do older questions move those above them.
  if (held.size === 0 && pending.length > 0) showPending();
  const last = pending.findLastIndex(({ approval_id }) => held.has(approval_id));
  const older = last < 0 ? [] : pending.slice(last + 1);
  if (older.length > 0) setHeld((before) => new Map([...before, ...byId(older)]));
  const newest = new Map([...byId(pending), ...byId(resolved)]);
  return {
    cards: [...held.values()].map((card) => {
      const known = newest.get(card.approval_id);
      // After a decision the list may still be the one from before it.
      return known === undefined || (known.state === "pending" && card.state !== "pending") ? card : known;
    }),
    isCompact,
    waiting: pending.filter(({ approval_id }) => !held.has(approval_id)),
    onDecided: (decided) => setHeld((before) => new Map(before).set(decided.approval_id, decided)),
    showPending,
  };
}

function byId(approvals: readonly Approval[]): ReadonlyMap<string, Approval> {
  return new Map(approvals.map((approval) => [approval.approval_id, approval]));
}
