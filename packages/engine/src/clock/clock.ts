import { LONGEST_TIMER_MS } from "@tenterhook/internal";

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
function currentTick(): Tick {
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

/** What a deadline is set for. */
export interface Expiring {
  expired(): void;
}

/** An entry in the queue of one duration. Deadlines of equal duration expire in the order they were set. */
export class Deadline {
  /** By the clock of the tick that it was set in, which is behind when that tick is a long one. */
  readonly due: number;
  readonly tick: Tick;
  readonly owner: Expiring;
  readonly queue: Queue;
  previous: Deadline | undefined;
  next: Deadline | undefined;

  constructor(due: number, owner: Expiring, queue: Queue) {
    this.due = due;
    this.tick = currentTick();
    this.owner = owner;
    this.queue = queue;
  }
}

interface Queue {
  first: Deadline | undefined;
  last: Deadline | undefined;
}

const queues = new Map<number, Queue>();
let waiting = 0;
let timer: NodeJS.Timeout | undefined;
let timerDue = Number.POSITIVE_INFINITY;
/** Whether the timer keeps the process alive; changing that is costly, so it is done at the end of a tick. */
let isHeld = false;
let isReleasing = false;

/**
 * Sets a deadline on the one timer that all hooks share: a timer of their own would cost each of them more than the
 * rest of the dispatch. The process stays alive while a deadline is set, and only then.
 */
export function setDeadline(ms: number, owner: Expiring): Deadline {
  let queue = queues.get(ms);
  if (queue === undefined) {
    queue = { first: undefined, last: undefined };
    queues.set(ms, queue);
  }
  const deadline = new Deadline(tickNow() + ms, owner, queue);
  deadline.previous = queue.last;
  if (queue.last === undefined) queue.first = deadline;
  else queue.last.next = deadline;
  queue.last = deadline;
  waiting++;
  if (deadline.due < timerDue) startTimer(deadline.due);
  else if (!isHeld) {
    timer?.ref();
    isHeld = true;
  }
  return deadline;
}

export function clearDeadline(deadline: Deadline): void {
  const { queue, previous, next } = deadline;
  if (previous === undefined) queue.first = next;
  else previous.next = next;
  if (next === undefined) queue.last = previous;
  else next.previous = previous;
  waiting--;
  if (waiting > 0 || isReleasing) return;
  isReleasing = true;
  setImmediate(releaseProcess);
}

function releaseProcess(): void {
  isReleasing = false;
  if (waiting > 0) return;
  timer?.unref();
  isHeld = false;
}

function startTimer(due: number): void {
  clearTimeout(timer);
  timerDue = due;
  isHeld = true;
  timer = setTimeout(expire, Math.min(Math.max(due - preciseNow(), 1), LONGEST_TIMER_MS));
}

function expire(): void {
  timer = undefined;
  timerDue = Number.POSITIVE_INFINITY;
  const now = preciseNow();
  let first = findFirst(now);
  // In the order in which they are due: the timer may be late, and then several durations are over.
  for (; first !== undefined && surelyDue(first, now) <= now; first = findFirst(now)) {
    clearDeadline(first);
    first.owner.expired();
  }
  for (const [ms, queue] of queues) if (queue.first === undefined) queues.delete(ms);
  if (first !== undefined && surelyDue(first, now) < timerDue) startTimer(surelyDue(first, now));
}

/** The deadline that is due before all others. */
function findFirst(now: number): Deadline | undefined {
  let found: Deadline | undefined;
  for (const { first } of queues.values())
    if (first !== undefined && (found === undefined || surelyDue(first, now) < surelyDue(found, now)))
      found = first;
  return found;
}

/**
 * When a deadline is due by the precise clock, at the latest. A hook that was called at the end of a long tick must
 * not lose the time that the tick had taken before.
 */
function surelyDue({ due, tick }: Deadline, now: number): number {
  // Still the same tick: the deadline is checked again after it.
  if (tick.lengthMs === undefined) return Math.max(due, now + 1);
  return due + tick.lengthMs;
}
