import { createHooks, type Hooks } from "@tenterhook/engine";
import { orAborted } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName } from "@tenterhook/protocol";
import { listMissingEffects, readSupport } from "../../core/index.ts";
import { recordEvents } from "./describe-event.ts";
import type { Driver, Scenario, ScenarioTool, ScriptedAnswer } from "./scenario.ts";

/** What a run of a scenario showed, and what it should have shown. */
export interface Comparison {
  readonly actual: Shown;
  readonly expected: Shown;
}

interface Shown {
  readonly executed: readonly string[];
  readonly text?: string | undefined;
  readonly error?: string | undefined;
  readonly events: readonly string[];
  readonly wouldHave: readonly string[];
  /** The expected texts that the model did not read. */
  readonly unread: readonly string[];
  /** The texts that the model read although it should not have. */
  readonly leaked: readonly string[];
}

/** Whether the framework can show a scenario. */
export function canShow({ support }: Driver, { needs, lacks }: Scenario): boolean {
  if (lacks !== undefined && !listMissingEffects(support, lacks[0]).includes(lacks[1])) return false;
  return needs.every(([event, effect]) => {
    if (event === "around_llm" || event === "around_tool") return support.around[event] !== undefined;
    const { level, effects } = readSupport(support, event);
    return level !== "none" && (effect === undefined || effects.includes(effect));
  });
}

/** Runs a scenario through a driver. Compare `actual` with `expected`. */
export async function runScenario(
  driver: Driver,
  scenario: Scenario,
  isStreamed: boolean,
): Promise<Comparison> {
  const { prompt = "Hello", decision = "approve", maxSteps } = scenario;
  const fired = EVENT_NAMES.filter((event) => readSupport(driver.support, event).level !== "none");
  // Failures that decide nothing are part of some scenarios.
  const hooks = createHooks({ report: () => undefined });
  const events = recordEvents(hooks, fired);
  const wouldHave = scenario.wouldHave === undefined ? [] : recordNotEnforced(hooks);
  const caller = new AbortController();
  const abort = () => caller.abort(new Error("the user left"));
  scenario.hooks(hooks, abort);
  const ended = scenario.waitsFor === undefined ? undefined : nextEvent(hooks, scenario.waitsFor);
  const executed: string[] = [];
  const meeting = createMeeting(hooks);
  const tools: readonly ScenarioTool[] = [
    {
      name: "Shell",
      takesPaths: false,
      execute: ({ command }) => {
        if (command === "stop") return meeting.begun.then(() => executed.push(command));
        executed.push(command);
        if (command === "wait") return meeting.wait();
        if (command === "fail") throw new Error("the disk is full");
        if (command === "flaky" && executed.length === 1) throw new Error("the disk is busy");
        if (command === "leave") abort();
        return `ran ${command}`;
      },
    },
    {
      name: "Pack",
      takesPaths: true,
      /** Writes to its input, as tools may. */
      execute: (input) => {
        input.paths?.push("README");
        input.command += ` ${input.paths?.join(",")}`;
        executed.push(input.command);
        return `ran ${input.command}`;
      },
    },
  ];
  const result = await driver.run({
    hooks,
    tools,
    script: scenario.abortsAt === "text" ? scenario.script.map(untilAborted(caller.signal)) : scenario.script,
    subagents: scenario.subagents ?? {},
    prompt,
    isStreamed,
    decision,
    maxSteps,
    signal: caller.signal,
    onText: () => (scenario.abortsAt === "text" ? abort() : undefined),
  });
  await ended;
  await hooks.drain();
  const wanted = { ...scenario, ...driver.differences?.[scenario.name] };
  const isFired = (text: string) => fired.some((event) => text === event || text.startsWith(`${event} `));
  // An event that a framework does not fire in this scenario has no trace.
  const isShown = (text: string) =>
    wanted.events?.some((event) => readName(event) === readName(text)) ?? true;
  const unread = Object.entries(wanted.reads ?? {}).flatMap(([call, texts]) =>
    texts.filter((text) => result.requests[Number(call)]?.includes(text) !== true),
  );
  const { text, error } = wanted.outcome;
  const isExpectedError = error !== undefined && result.error?.includes(error) === true;
  return {
    actual: {
      executed,
      text: result.text,
      error: isExpectedError ? error : result.error,
      events: wanted.events === undefined ? [] : events,
      wouldHave: [...new Set(wouldHave)],
      unread,
      leaked: wanted.neverReads?.filter((text) => result.requests.some((sent) => sent.includes(text))) ?? [],
    },
    expected: {
      executed: wanted.executed,
      text,
      error,
      events: wanted.events?.filter(isFired) ?? [],
      wouldHave: wanted.wouldHave?.filter((text) => isFired(text) && isShown(text)) ?? [],
      unread: [],
      leaked: [],
    },
  };
}

/** Two tools that are executed at the same time: one waits until a hook has stopped the run, the other one until that one waits. */
function createMeeting(hooks: Hooks) {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const wait = () =>
    new Promise<string>((resolve) => {
      hooks.onTrace(({ action }) => action === "stop" && setImmediate(resolve, "waited"));
      begin();
    });
  return { begun, wait };
}

function nextEvent(hooks: Hooks, event: EventName): Promise<void> {
  return new Promise((resolve) => {
    hooks.on(event, () => resolve(), { name: "ended", observes: true });
  });
}

function readName(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}

/** Records what hooks that are not enforced would have done, from the traces. */
function recordNotEnforced(hooks: Hooks): string[] {
  const recorded: string[] = [];
  hooks.onTrace(({ event, entries }) => {
    for (const { verdict, hook, isEnforced } of entries)
      if (!isEnforced) recorded.push(`${event} ${verdict} ${hook}`);
  });
  return recorded;
}

/** An answer that does not end before the run is aborted, as a model's does not. */
function untilAborted(signal: AbortSignal) {
  return (answer: ScriptedAnswer): ScriptedAnswer => ({
    text: "text" in answer ? (answer.text ?? "") : "",
    wait: () => orAborted(new Promise<void>(() => {}), signal),
  });
}
