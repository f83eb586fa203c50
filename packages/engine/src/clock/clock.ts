/** One iteration of the event loop, as far as clocks are concerned. */
export interface Tick {
  /** Milliseconds from when the clock was read to the end of the tick; `undefined` until then. */
  lengthMs: number | undefined;
}

let time = 0;
let tick: Tick = { lengthMs: 0 };

/**
 * Milliseconds since the process's time origin, precise. Reading a clock costs more than a small hook does, so it is read
 * only while there is a listener.
 */
export const preciseNow: () => number = performance.now.bind(performance);

/**
 * Milliseconds as of this tick of the event loop, read once per tick: good enough for timeouts and for the duration
 * of anything that waits. A hook that settles within one tick took no time by this clock.
 */
export function tickNow(): number {
  if (time === 0) begin();
  return time;
}

/** This tick: has later how far behind its clock was at most. */
export function currentTick(): Tick {
  if (time === 0) begin();
  return tick;
}

function begin(): void {
  time = preciseNow();
  tick = { lengthMs: undefined };
  setImmediate(end);
}

function end(): void {
  tick.lengthMs = preciseNow() - time;
  time = 0;
}
