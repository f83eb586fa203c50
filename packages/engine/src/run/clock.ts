/** One turn of the event loop, as far as clocks are concerned. */
export interface Turn {
  /** Milliseconds from when the clock was read to the end of the turn; `undefined` until then. */
  lengthMs: number | undefined;
}

let time = 0;
let number = 0;
let turn: Turn = { lengthMs: 0 };

/** Milliseconds, precise. Reading it costs more than a small hook does, so it is read only when somebody listens. */
export function preciseNow(): number {
  return performance.now();
}

/**
 * Milliseconds as of this turn of the event loop, read once per turn: good enough for timeouts and for the duration
 * of anything that waits. A hook that settles without leaving the turn took no time by this clock.
 */
export function turnNow(): number {
  if (time === 0) begin();
  return time;
}

/** The number of this turn: tells cheaply whether the clock has moved. */
export function turnNumber(): number {
  if (time === 0) begin();
  return number;
}

/** This turn: tells later how far behind its clock has been at most. */
export function currentTurn(): Turn {
  if (time === 0) begin();
  return turn;
}

function begin(): void {
  time = performance.now();
  number++;
  turn = { lengthMs: undefined };
  setImmediate(end);
}

function end(): void {
  turn.lengthMs = performance.now() - time;
  time = 0;
}
