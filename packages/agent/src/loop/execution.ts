import { beginTurn, endRun, joinContext, type Refused, toError } from "@tenterhook/engine/host";
import type { Models } from "../model/models.ts";
import { withSpans } from "../run/agent-instrument.ts";
import { EndedRun } from "../run/ended-run.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult } from "../run/run-result.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { type AnswerSchema, outputInstructions } from "./structured-output.ts";
import { runTurn, type Turn, type TurnEnd } from "./turn.ts";

/** What a run uses. */
export interface ExecutionParts {
  readonly run: RunContext;
  readonly settings: LoopSettings;
  readonly models: Models;
  /** Opens the tools of this run, MCP servers included; they are closed when it ends. */
  openTools(): Promise<{ readonly toolbox: Toolbox; close(): Promise<void> }>;
  /** Absent for subagents, which use the session of their parent. */
  readonly session: OpenSession | undefined;
  readonly message: string;
  readonly output: AnswerSchema | undefined;
}

/** How a run ends. */
interface Ending extends TurnEnd {
  readonly error?: Error | undefined;
}

/** One run on its way. */
interface Execution extends ExecutionParts {
  readonly startDate: Date;
  readonly startedAt: number;
  history: History;
  /** As hooks changed it. */
  message: string;
  turn: Turn | undefined;
  /** Set when the turn has ended. */
  durationMs: number;
}

/** Does one run, from its message to its end. It always resolves, also after errors. */
export function executeRun(parts: ExecutionParts): Promise<RunResult<unknown>> {
  const { run, models, settings, message } = parts;
  const { sessionId, runId, init } = run.host;
  const { agent } = init;
  const { modelId: model, provider } = models.get(settings.modelName);
  const operation = () => ({ type: "invoke_agent", agent, sessionId, model, provider, message }) as const;
  return withSpans(run.resources.instruments, operation, async (record) => {
    run.emit({ type: "run_start", runId, sessionId, agent: agent.name, message });
    const execution: Execution = {
      ...parts,
      startDate: new Date(),
      startedAt: performance.now(),
      history: new History([]),
      turn: undefined,
      durationMs: 0,
    };
    const result = await finish(execution, await runToEnd(execution));
    const { usage, text, status, stopReason, error } = result;
    record({
      usage,
      input: execution.message,
      output: text,
      outcome: error !== undefined ? "failed" : status === "stopped" ? stopReason : status,
      ...(error !== undefined && { error }),
    });
    run.emit({ type: "run_end", run: result });
    return result;
  });
}

async function runToEnd(execution: Execution): Promise<Ending> {
  try {
    const refused = await begin(execution);
    return refused === undefined ? await loop(execution) : readRefusal(refused);
  } catch (thrown) {
    const text = execution.turn?.text ?? "";
    const { stopReason, host } = execution.run;
    if (stopReason !== undefined)
      return { status: "stopped", stopReason, reason: host.stopped?.reason ?? "", text };
    const error = toError(thrown);
    return { status: "failed", stopReason: "error", reason: error.message, text, error };
  }
}

/** Starts the session and the turn, unless a hook refuses them. */
async function begin(execution: Execution): Promise<Refused | undefined> {
  const { session, settings, run } = execution;
  if (session !== undefined) {
    execution.history = new History(await session.history());
    const refused = await session.start(run.host, settings.modelName, settings.args);
    if (refused !== undefined) return refused;
  }
  const start = await beginTurn(run.host, execution.message);
  if (start.type === "refused") return start;
  execution.message = start.message;
  const content = joinContext(start.message, [...(session?.takeContext() ?? []), ...start.context]);
  execution.history.append({ role: "user", content });
  await save(execution);
  return undefined;
}

async function loop(execution: Execution): Promise<Ending> {
  const { run, models, settings, history, output } = execution;
  const tools = await execution.openTools();
  try {
    const instructions =
      output === undefined ? settings.instructions : outputInstructions(settings.instructions, output);
    execution.turn = {
      run,
      history,
      models,
      toolbox: tools.toolbox,
      settings: { ...settings, instructions },
      output,
      save: () => save(execution),
      text: "",
      refusals: 0,
    };
    return await runTurn(execution.turn);
  } finally {
    await tools.close();
  }
}

/** A refusal is a value; a failed hook is an error. */
function readRefusal({ reason, error }: Refused): Ending {
  const ending = { stopReason: "refused", reason, text: "" } as const;
  return error.code === "turn_refused"
    ? { status: "stopped", ...ending }
    : { status: "failed", ...ending, error };
}

/** Fires the after-events and stores the run. Errors of these hooks reach the caller; the run is stored in any case. */
async function finish(execution: Execution, ending: Ending): Promise<RunResult<unknown>> {
  const { run, session } = execution;
  const { text, stopReason } = ending;
  let { status, error } = ending;
  await Promise.allSettled(run.delegated);
  try {
    await save(execution);
  } catch (thrown) {
    error ??= toError(thrown);
    if (status === "completed") status = "failed";
  }
  execution.durationMs = performance.now() - execution.startedAt;
  const describe = () => new EndedRun(readResult(execution, { ...ending, status, error }));
  error = await endRun(run.host, { status, text, error, stopReason, describe });
  await session?.endRun(run.host, stopReason);
  return readResult(execution, { ...ending, status, error });
}

async function save({ history, session }: Execution): Promise<void> {
  const entries = history.takeUnsaved();
  if (entries.length === 0) return;
  try {
    await session?.save(entries);
  } catch (error) {
    // Retried with the next step, so that a store that failed once has all entries.
    history.restoreUnsaved(entries);
    throw error;
  }
}

function readResult(
  { run, history, startDate, durationMs }: Execution,
  { error, ...ending }: Ending,
): RunResult<unknown> {
  const { runId: id, sessionId, steps, unsatisfied } = run.host;
  return {
    id,
    sessionId,
    ...ending,
    messages: history.messages,
    stepCount: steps.started,
    usage: { ...steps.usage },
    startedAt: startDate.toISOString(),
    endedAt: new Date(startDate.getTime() + durationMs).toISOString(),
    durationMs,
    ...(error !== undefined && { error }),
    ...(unsatisfied !== undefined && { gateUnsatisfied: unsatisfied }),
    acts: [...run.acts],
  };
}
