let time = 0;
let number = 0;

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

function begin(): void {
  time = performance.now();
  number++;
  setImmediate(forget);
}

function forget(): void {
  time = 0;
}
