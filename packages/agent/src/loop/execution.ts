import { isInstanceOf } from "@tenterhook/internal";
import type { Models } from "../model/models.ts";
import { finalMessageOf } from "../run/agent-event.ts";
import { withSpans } from "../run/agent-instrument.ts";
import { EndedRun } from "../run/ended-run.ts";
import { toError } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult, StopReason } from "../run/run-result.ts";
import { RunStopped } from "../run/run-stopped.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { contextText } from "./step.ts";
import { type AnswerSchema, outputInstructions } from "./structured-output.ts";
import { type Delegation, Turn, type TurnEnd } from "./turn.ts";

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
  readonly delegation: Delegation | undefined;
}

/** How a run ends. */
interface Ending {
  readonly status: RunResult["status"];
  readonly stopReason: StopReason;
  readonly reason?: string;
  readonly text: string;
  readonly output?: unknown;
  readonly error?: Error;
}

/** One run, from its message to its end. It always resolves to a run, also after errors. */
export class Execution {
  readonly #parts: ExecutionParts;
  readonly #run: RunContext;
  readonly #startDate = new Date();
  readonly #startedAt = performance.now();
  /** Set when the turn has ended. */
  #durationMs = 0;
  #history = new History([]);
  #message: string;
  #turn: Turn | undefined;
  /** If `before_agent` was fired, `after_agent` follows. */
  #firedBeforeAgent = false;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#run = parts.run;
    this.#message = parts.message;
  }

  run(): Promise<RunResult<unknown>> {
    const { models, settings, message } = this.#parts;
    const { sessionId, agent, runId } = this.#run.identity;
    const { modelId: model, provider } = models.get(settings.modelName);
    const operation = () => ({ type: "invoke_agent", agent, sessionId, model, provider, message }) as const;
    return withSpans(this.#run.resources.instruments, operation, async (record) => {
      this.#run.emit({ type: "run_start", runId, sessionId, agent: agent.name, message });
      let ending = await this.#runToEnd();
      ending = await this.#finish(ending);
      const run = this.#result(ending);
      record({
        usage: run.usage,
        input: this.#message,
        output: run.text,
        outcome: run.error !== undefined ? "failed" : run.status === "stopped" ? run.stopReason : run.status,
        ...(run.error !== undefined && { error: run.error }),
      });
      this.#run.emit({ type: "run_end", run });
      return run;
    });
  }

  async #runToEnd(): Promise<Ending> {
    try {
      return (await this.#start()) ?? (await this.#loop());
    } catch (error) {
      const text = this.#turn?.text ?? "";
      if (isInstanceOf(error, RunStopped)) {
        return { status: "stopped", stopReason: error.stopReason, reason: error.message, text };
      }
      const failure = toError(error);
      return { status: "failed", stopReason: "error", reason: failure.message, text, error: failure };
    }
  }

  /** Starts the session and the turn, unless a hook refuses them. */
  async #start(): Promise<Ending | undefined> {
    const { session, settings } = this.#parts;
    const run = this.#run;
    if (session !== undefined) {
      this.#history = new History(await session.history());
      const refused = await session.start(run, settings.modelName, settings.args);
      if (refused !== undefined) return refusedEnding(refused.reason, refused.error);
    }
    this.#firedBeforeAgent = true;
    const before = await run.fire("before_agent", { message: this.#message });
    this.#message = before.payload.message;
    if (before.action === "refuse") return refusedEnding(before.reason, before.error);
    const context = [...(session?.takeContext() ?? []), ...before.context];
    const content = context.length === 0 ? this.#message : `${this.#message}\n\n${contextText(context)}`;
    this.#history.append({ role: "user", content });
    await this.#save();
    return undefined;
  }

  async #loop(): Promise<TurnEnd> {
    const { models, settings, output, delegation } = this.#parts;
    const tools = await this.#parts.openTools();
    try {
      const instructions =
        output === undefined ? settings.instructions : outputInstructions(settings.instructions, output);
      this.#turn = new Turn(
        {
          run: this.#run,
          history: this.#history,
          models,
          toolbox: tools.toolbox,
          settings: { ...settings, instructions },
          outputSchema: output?.isText ? undefined : output?.jsonSchema,
          save: () => this.#save(),
        },
        output,
        delegation,
      );
      return await this.#turn.run();
    } finally {
      await tools.close();
    }
  }

  /** Fires the after-events and stores the run. Errors of these hooks reach the caller; the run is stored in any case. */
  async #finish(ending: Ending): Promise<Ending> {
    const run = this.#run;
    const { session, delegation } = this.#parts;
    const finalMessage = finalMessageOf(ending.text);
    let error = ending.error;
    try {
      await this.#save();
    } catch (failure) {
      error ??= toError(failure);
    }
    if (delegation !== undefined && this.#turn?.hasFiredSubagentStop !== true) {
      const { stopReason } = ending;
      await run.fireLast("subagent_stop", { ...delegation, stopReason, finalMessage });
    }
    if (error !== undefined) await run.fireLast("agent_failed", { error });
    const status = error !== undefined && ending.status === "completed" ? "failed" : ending.status;
    this.#durationMs = performance.now() - this.#startedAt;
    if (this.#firedBeforeAgent) {
      const after = await run.fireLast("after_agent", {
        status,
        userMessage: this.#message,
        finalMessage,
        run: new EndedRun(this.#result({ ...ending, status, ...(error !== undefined && { error }) })),
        ...(error !== undefined && { error }),
        ...(this.#turn?.unsatisfied !== undefined && { gateUnsatisfied: true }),
      });
      if (after.action === "raise") error ??= after.error;
    }
    await session?.endRun(run, ending.stopReason);
    return { ...ending, status, ...(error !== undefined && { error }) };
  }

  async #save(): Promise<void> {
    const entries = this.#history.takeUnsaved();
    if (entries.length === 0) return;
    try {
      await this.#parts.session?.save(entries);
    } catch (error) {
      // Retried with the next step, so that a store that failed once has all entries.
      this.#history.restoreUnsaved(entries);
      throw error;
    }
  }

  #result(ending: Ending): RunResult<unknown> {
    const { identity, stepCount, usage, acts } = this.#run;
    const unsatisfied = this.#turn?.unsatisfied;
    return {
      id: identity.runId,
      sessionId: identity.sessionId,
      ...ending,
      messages: this.#history.messages,
      stepCount,
      usage,
      startedAt: this.#startDate.toISOString(),
      endedAt: new Date(this.#startDate.getTime() + this.#durationMs).toISOString(),
      durationMs: this.#durationMs,
      ...(unsatisfied !== undefined && { gateUnsatisfied: unsatisfied }),
      acts: [...acts],
    };
  }
}

/** A refusal is a value; a failed hook is an error. */
function refusedEnding(reason: string | undefined, error: Error | undefined): Ending {
  const ending = { stopReason: "refused", reason: reason ?? "no reason given", text: "" } as const;
  return error === undefined ? { status: "stopped", ...ending } : { status: "failed", ...ending, error };
}
