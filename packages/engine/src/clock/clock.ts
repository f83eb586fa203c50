/** One iteration of the event loop, as far as clocks are concerned. */
export interface Tick {
  /** Milliseconds from when the clock was read to the end of the tick; `undefined` until then. */
  lengthMs: number | undefined;
}

let time = 0;
let tick: Tick = { lengthMs: 0 };

const { hrtime } = process;
const origin = findOrigin();

/**
 * Milliseconds since the process's time origin, precise. Reading a clock costs more than a small hook does, so it is read
 * only while there is a listener. This is the clock of `performance.now()`, read at two thirds of its cost.
 */
export function preciseNow(): number {
  return milliseconds(hrtime()) - origin;
}

/**
 * What `hrtime` returns when `performance.now()` is zero: the best of some tries, because the process may be delayed between the
 * two readings.
 */
function findOrigin(): number {
  let best = { apart: Number.POSITIVE_INFINITY, origin: 0 };
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = milliseconds(hrtime());
    const now = performance.now();
    const apart = milliseconds(hrtime()) - before;
    if (apart < best.apart) best = { apart, origin: before + apart / 2 - now };
  }
  return best.origin;
}

function milliseconds(time: readonly [number, number]): number {
  return time[0] * 1e3 + time[1] / 1e6;
}

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
