/** A press counts only for a card that has not moved for this long. */
export const STEADY_MS = 500;

/** Movements that a user cannot see do not count. */
const TOLERANCE_PX = 2;

export interface CardPosition {
  readonly left: number;
  /** From the top of the window. */
  readonly top: number;
  /** How far the document is scrolled, and its height. */
  readonly scrolled: number;
  readonly height: number;
}

/**
 * Whether a card stays where it is. A card that appears has moved; so has one that other content pushed, and one that the browser
 * moved because the document became shorter. Scrolling by the user does not count as movement.
 */
export class Steadiness {
  #position: CardPosition | undefined;
  #movedAt = Number.NEGATIVE_INFINITY;

  /** Compares the position with the one before. */
  observe(position: CardPosition, now: number): void {
    const before = this.#position;
    this.#position = position;
    if (before === undefined || hasMoved(before, position)) this.#movedAt = now;
  }

  /** What the card shows has changed, so it counts as moved. */
  disturb(now: number): void {
    this.#movedAt = now;
  }

  isSteady(now: number): boolean {
    return now - this.#movedAt >= STEADY_MS;
  }
}

function hasMoved(before: CardPosition, after: CardPosition): boolean {
  if (Math.abs(after.left - before.left) > TOLERANCE_PX) return true;
  if (Math.abs(after.top - before.top) <= TOLERANCE_PX) return false;
  const inDocument = after.top + after.scrolled - (before.top + before.scrolled);
  return Math.abs(inDocument) > TOLERANCE_PX || after.height < before.height;
}
