import { SpanKind, trace } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { createHooks, type Hooks, type Trace } from "@tenterhook/engine";
import { openTelemetry } from "@tenterhook/engine/opentelemetry";
import { AsyncSeriesHook } from "tapable";
import { measure, type Row } from "../measure.ts";
import { payloadAt, type Subject, syncBodies } from "./bodies.ts";
import { guarded } from "./guarded.ts";
import { ownBodies } from "./own-bodies.ts";

/** Short rounds, and many: on a busy machine a long one is always disturbed. */
const ROUNDS = { rounds: 400, times: 2_000 };

/** What the listeners below look at, so that their work is not optimised away. */
let seen = 0;

/** Ten sync hooks in production: with a listener, every hook timed. */
export function traceListener(): Promise<Row[]> {
  const listen = (hooks: Hooks) => hooks.onTrace(({ action }) => void (action !== "go_on" && seen++));
  return againstTapable("a trace listener", listen, { most: 10 });
}

export function traceReader(): Promise<Row[]> {
  return againstTapable("a trace listener that reads every entry", (hooks) => hooks.onTrace(readEntries));
}

function readEntries({ entries }: Trace): void {
  for (const { durationMs = 0 } of entries) seen += durationMs;
}

/** The listener of every run on a runner; its reports, one in 30 seconds, are left out. */
export async function runnerTallies(): Promise<Row[]> {
  const { HookTallies } = await loadTallies();
  const listening = async (name: string, listen?: (hooks: Hooks) => unknown) => {
    const hooks = guarded(createHooks(), (await ownBodies(name)).syncBodies);
    listen?.(hooks);
    return async (times: number) => {
      for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
    };
  };
  const contenders = {
    ours: await listening("tallied", (hooks) => hooks.onTrace(new HookTallies(() => undefined).count)),
    reading: await listening("read", (hooks) => hooks.onTrace(readEntries)),
    none: await listening("plain"),
  };
  const { ours, reading, none } = await measure(contenders, ROUNDS);
  const what = "ten sync hooks, each timed and counted: the tallies of a runner";
  return [
    { what, against: "a trace listener that reads every entry", ours, theirs: reading, bar: { most: 2 } },
    { what, against: "no listener, untimed", ours, theirs: none },
  ];
}

interface TalliesModule {
  readonly HookTallies: new (report: () => void) => { readonly count: (trace: Trace) => void };
}

/** It is not part of what the package exports. */
function loadTallies(): Promise<TalliesModule> {
  const file = "../../../packages/runner/dist/events/hook-tallies.js";
  return import(new URL(file, import.meta.url).href);
}

export function hookEventListener(): Promise<Row[]> {
  const listen = (hooks: Hooks) =>
    hooks.onHookEvent(({ durationMs = 0 }) => {
      seen += durationMs;
    });
  return againstTapable("a listener to every hook's start and end", listen);
}

export function spansNotSetUp(): Promise<Row[]> {
  return againstTapable("OpenTelemetry without a provider", openTelemetry, { most: 10 });
}

/** Most of this is the SDK's work, so its bare spans are the peer. */
export async function spansRecorded(): Promise<Row[]> {
  const tracer = new BasicTracerProvider().getTracer("bench");
  const hooks = guarded(createHooks(), syncBodies);
  openTelemetry(hooks, { tracer });
  const best = await measure(
    {
      bare: (times) => {
        for (let i = 0; i < times; i++) {
          for (const body of syncBodies) {
            const span = tracer.startSpan("hook", { kind: SpanKind.INTERNAL });
            body(payloadAt(i));
            span.end();
          }
        }
      },
      ours: async (times) => {
        for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
      },
    },
    { rounds: 100, times: 200 },
  );
  return [
    {
      what: "ten sync hooks, each with a recorded span",
      against: "ten bare spans of the OpenTelemetry SDK, without attributes",
      ours: best.ours,
      theirs: best.bare,
    },
  ];
}

async function againstTapable(
  listener: string,
  listen: (hooks: Hooks) => unknown,
  bar?: Row["bar"],
): Promise<Row[]> {
  trace.disable();
  const ours = await ownBodies("ours");
  const hooks = guarded(createHooks(), ours.syncBodies);
  listen(hooks);
  const tapable = new AsyncSeriesHook<[Subject]>(["subject"]);
  for (const [index, body] of syncBodies.entries())
    tapable.tap({ name: `rule-${index}`, stage: -index }, body);
  const best = await measure(
    {
      tapable: async (times) => {
        for (let i = 0; i < times; i++) await tapable.promise(payloadAt(i));
      },
      ours: async (times) => {
        for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
      },
    },
    ROUNDS,
  );
  return [
    {
      what: `ten sync hooks, each timed: ${listener}`,
      against: "tapable AsyncSeriesHook.promise, untimed",
      ours: best.ours,
      theirs: best.tapable,
      ...(bar !== undefined && { bar }),
    },
  ];
}
