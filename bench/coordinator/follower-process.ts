// Many subscribers of a coordinator's tool calls: `node follower-process.js URL TOKEN COUNT`. Sends "ready" when all of them follow. A
// message is how many events each of them is to receive: it is answered when they have, or when the limit has passed, with what they
// have seen since the last one.
import { once } from "node:events";
import { connect } from "node:net";
import { until } from "../until.ts";

const [address = "", token = "", count = "1"] = process.argv.slice(2);
const url = new URL(address);

/** How long subscribers may wait for events that were stored. A late event is one of the delays; only a lost one is waited for in vain. */
const LIMIT_MS = 60_000;

/** What subscribers have seen since they were last asked. */
export interface Seen {
  /** Events of the subscriber with the fewest, and of the one with the most. */
  readonly fewest: number;
  readonly most: number;
  /** From an event's transaction to its arrival, in milliseconds, of every event at every subscriber. */
  readonly p50: number;
  readonly p99: number;
}

const counts: number[] = [];
/** A histogram of delays in milliseconds; the last bucket counts all longer ones. */
const delays = new Uint32Array(10_000);

for (let n = 0; n < Number(count); n++) await follow(n);
process.send?.("ready");

process.on("message", (expected: number) => void answer(expected));

async function answer(expected: number): Promise<void> {
  const what = "every subscriber has its events";
  // Without them the numbers say so.
  await until(() => Math.min(...counts) >= expected, { what, limitMs: LIMIT_MS, everyMs: 10 }).catch(
    () => undefined,
  );
  const seen: Seen = {
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    p50: delayOf(0.5),
    p99: delayOf(0.99),
  };
  process.send?.(seen);
  counts.fill(0);
  delays.fill(0);
}

/** What a share of the events took at most. */
function delayOf(share: number): number {
  let left = share * delays.reduce((sum, each) => sum + each, 0);
  return delays.findIndex((each) => {
    left -= each;
    return left <= 0;
  });
}

async function follow(index: number): Promise<void> {
  counts[index] = 0;
  const socket = connect(Number(url.port), url.hostname).setEncoding("latin1");
  socket.write(`GET /events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  // The first message contains the cursor of the stream.
  await once(socket, "data");
  let rest = "";
  socket.on("data", (text: string) => {
    rest = take(index, rest + text);
  });
}

const MARK = '"event_type":"tool_call"';
const TIMESTAMP = '"timestamp":"';

/** Takes whole events from a text and returns what is left. Not read as JSON: there are a hundred thousand a second. */
function take(index: number, text: string): string {
  const now = Date.now();
  let at = text.indexOf(MARK);
  let end = 0;
  while (at >= 0) {
    const timestamp = text.indexOf(TIMESTAMP, at) + TIMESTAMP.length;
    if (timestamp < TIMESTAMP.length || text.length < timestamp + 24) break;
    end = timestamp + 24;
    const delay = Math.min(Math.max(0, now - timeOf(text.slice(timestamp, end))), delays.length - 1);
    delays[delay] = (delays[delay] ?? 0) + 1;
    counts[index] = (counts[index] ?? 0) + 1;
    at = text.indexOf(MARK, end);
  }
  return at >= 0 ? text.slice(at) : text.slice(Math.max(end, text.length - MARK.length));
}

let times = new Map<string, number>();

/** All subscribers get the same events, so most of these were read just before. */
function timeOf(text: string): number {
  const known = times.get(text);
  if (known !== undefined) return known;
  if (times.size > 1_000) times = new Map();
  const time = Date.parse(text);
  times.set(text, time);
  return time;
}
