/** One iteration of the event loop, as far as clocks are concerned. */
export interface Tick {
  /** Milliseconds from when the clock was read to the end of the tick; `undefined` until then. */
  lengthMs: number | undefined;
}

/** What wants to know when the tick ends; a node in the list of this tick. */
export interface TickMember {
  previous: TickMember | undefined;
  next: TickMember | undefined;
  /** Called when the tick has ended, with the time at which its clock was read. */
  tickEnded(beganAt: number): void;
}

let time = 0;
let lastMember: TickMember | undefined;
let number = 0;
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

/** The number of this tick: shows cheaply whether the clock has moved. */
export function tickNumber(): number {
  if (time === 0) begin();
  return number;
}

/** This tick: has later how far behind its clock was at most. */
export function currentTick(): Tick {
  if (time === 0) begin();
  return tick;
}

/** Calls the member when this tick ends, unless it leaves before. */
export function joinTick(member: TickMember): void {
  if (time === 0) begin();
  member.previous = lastMember;
  if (lastMember !== undefined) lastMember.next = member;
  lastMember = member;
}

export function leaveTick({ previous, next }: TickMember): void {
  if (next === undefined) lastMember = previous;
  else next.previous = previous;
  if (previous !== undefined) previous.next = next;
}

function begin(): void {
  time = preciseNow();
  number++;
  tick = { lengthMs: undefined };
  setImmediate(end);
}

function end(): void {
  const beganAt = time;
  tick.lengthMs = preciseNow() - beganAt;
  time = 0;
  let member = lastMember;
  lastMember = undefined;
  // In the order in which they joined: deadlines expire in the order in which they are set.
  while (member?.previous !== undefined) member = member.previous;
  for (; member !== undefined; member = member.next) member.tickEnded(beganAt);
}
