import { createHooks, type Hooks } from "@tenterhook/engine";
import { listMissingEffects } from "@tenterhook/engine/host";
import { orAborted } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName } from "@tenterhook/protocol";
import { readSupport } from "../../core/index.ts";
import { recordEvents } from "./describe-event.ts";
import type { Driver, DriverResult, Scenario, ScenarioTool, ScriptedAnswer } from "./scenario.ts";
import { createSignal } from "./script-parts.ts";

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
  readonly notes: readonly string[];
  /** The expected texts that the model did not read. */
  readonly unread: readonly string[];
  /** The texts that the model read although it should not have. */
  readonly leaked: readonly string[];
  readonly beside?: Pick<Shown, "executed" | "text" | "error">;
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
  const fired = EVENT_NAMES.filter((event) => readSupport(driver.support, event).level !== "none");
  // Failures that decide nothing are part of some scenarios.
  const hooks = createHooks({ report: () => undefined });
  const events = recordEvents(hooks, fired);
  const wouldHave = scenario.wouldHave === undefined ? [] : recordNotEnforced(hooks);
  const notes: string[] = [];
  const caller = new AbortController();
  const abort = () => caller.abort(new Error("the user left"));
  scenario.hooks(hooks, abort, (text) => void notes.push(text));
  const ended = scenario.waitsFor === undefined ? undefined : nextEvent(hooks, scenario.waitsFor);
  const meeting = createMeeting(hooks);
  const run = async (prompt: string) => {
    const executed: string[] = [];
    const result = await driver.run({
      hooks,
      tools: createTools(executed, meeting, abort),
      script:
        scenario.abortsAt === "text" ? scenario.script.map(untilAborted(caller.signal)) : scenario.script,
      subagents: scenario.subagents ?? {},
      prompt,
      isStreamed,
      decision: scenario.decision ?? "approve",
      maxSteps: scenario.maxSteps,
      signal: caller.signal,
      onText: () => (scenario.abortsAt === "text" ? abort() : undefined),
    });
    return { ...result, executed };
  };
  const { prompt = "Hello", beside } = scenario;
  const [result, other] = await Promise.all([run(prompt), beside && run(beside.prompt)]);
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
  return {
    actual: {
      ...describeEnd(result, wanted),
      events: wanted.events === undefined ? [] : events,
      wouldHave: [...new Set(wouldHave)],
      notes,
      unread,
      leaked: wanted.neverReads?.filter((text) => result.requests.some((sent) => sent.includes(text))) ?? [],
      ...(beside && other && { beside: describeEnd(other, beside) }),
    },
    expected: {
      executed: wanted.executed,
      text: wanted.outcome.text,
      error: wanted.outcome.error,
      events: wanted.events?.filter(isFired) ?? [],
      wouldHave: wanted.wouldHave?.filter((text) => isFired(text) && isShown(text)) ?? [],
      notes: wanted.notes ?? [],
      unread: [],
      leaked: [],
      ...(beside && {
        beside: { executed: beside.executed, text: beside.outcome.text, error: beside.outcome.error },
      }),
    },
  };
}

/** An expected part of a message stands for the whole one. */
function describeEnd(
  { executed, text, error }: DriverResult & Pick<Scenario, "executed">,
  { outcome }: Pick<Scenario, "outcome">,
): Pick<Shown, "executed" | "text" | "error"> {
  const isExpectedError = outcome.error !== undefined && error?.includes(outcome.error) === true;
  return { executed, text, error: isExpectedError ? outcome.error : error };
}

/** The tools of a run, which record what they executed. */
function createTools(
  executed: string[],
  meeting: ReturnType<typeof createMeeting>,
  abort: () => void,
): readonly ScenarioTool[] {
  return [
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
}

/** Two tools that are executed at the same time: one waits until a hook has stopped the run, the other one until that one waits. */
function createMeeting(hooks: Hooks) {
  const { given: begun, give: begin } = createSignal();
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
