import type { Hooks } from "@tenterhook/engine";
import { BoundedMap } from "@tenterhook/internal";
import type { ToolUse } from "@tenterhook/protocol";
import type { Prompt, RequestContext } from "./config.ts";
import { isCall, type Link, MastraRun, type RunStart } from "./mastra-run.ts";

/**
 * The runs of one agent. Mastra gives the functions of a configuration no id of the run, but the same request context in one call; the
 * calls of tools are found by their ids, because a program may use one request context for several calls.
 */
export class Runs {
  readonly #start: Omit<RunStart, "link" | "onCall">;
  readonly #byContext = new WeakMap<RequestContext, MastraRun[]>();
  readonly #byCall = new BoundedMap<string, MastraRun>(10_000);

  constructor(start: Omit<RunStart, "link" | "onCall">) {
    this.#start = start;
  }

  /** A new run. A processor begins it, and the model of the same request context claims it. */
  open(requestContext: RequestContext | undefined): MastraRun {
    const link =
      requestContext === undefined ? undefined : findLink(requestContext, this.#start.agentHooks.hooks);
    const onCall = (toolUseId: string, run: MastraRun) => void this.#byCall.set(toolUseId, run);
    const run = new MastraRun({ ...this.#start, link, onCall });
    this.#attach(requestContext, run);
    return run;
  }

  /**
   * The run of a model: one that was begun or resumed in this request context, or one that waited for a person who declined, so that
   * no tool was executed; else a new one.
   */
  claim(requestContext: RequestContext, prompt: Prompt): MastraRun {
    const begun = this.#list(requestContext).find((run) => !run.isClaimed && !run.run.hasEnded);
    const run = begun ?? this.#findDeclined(prompt) ?? this.open(requestContext);
    this.#resume(requestContext, run);
    run.isClaimed = true;
    return run;
  }

  /** The run of a tool call. One that was paused is continued in this request context; an unknown one was paused elsewhere. */
  async find(requestContext: RequestContext | undefined, toolUseId: string): Promise<MastraRun> {
    const own = this.#list(requestContext).findLast((run) => run.calls.has(toolUseId));
    if (own !== undefined) return own;
    const known = this.#byCall.get(toolUseId);
    if (known !== undefined) {
      this.#resume(requestContext, known);
      return known;
    }
    const run = this.#findUnclaimed(requestContext) ?? this.open(requestContext);
    await run.resume();
    return run;
  }

  /** The same for a call that begins. `isResumed`: the tool itself had suspended it, so that nobody was asked now. */
  async findStarted(
    requestContext: RequestContext | undefined,
    use: ToolUse,
    isResumed: boolean,
  ): Promise<MastraRun> {
    const runs = this.#list(requestContext);
    // Both `beforeToolCall` and the tool itself begin it.
    if (!runs.some(({ guarded }) => guarded.has(use.id))) runs.find((run) => run.identify(use, !isResumed));
    const run = await this.find(requestContext, use.id);
    // Of a run that was paused elsewhere, it is known only now whether it may continue.
    if (!run.hasBegun) await run.resume();
    return run;
  }

  /** Whether a call with this name and input has suspended itself in this process, and may be resumed now. */
  hasSuspended(toolName: string, input: unknown): boolean {
    for (const [toolUseId, run] of this.#byCall)
      if (run.suspended.has(toolUseId) && isCall(run.calls.get(toolUseId), toolName, input)) return true;
    return false;
  }

  /** The run of a call that Mastra asks about, and that no model made in this process: it was paused elsewhere. */
  async openPaused(
    requestContext: RequestContext,
    toolName: string,
    input: unknown,
  ): Promise<{ readonly run: MastraRun; readonly toolUseId: string }> {
    const active = this.#list(requestContext).findLast(({ run }) => !run.hasEnded);
    const run = active ?? this.open(requestContext);
    const toolUseId = run.noteUnidentified(toolName, input);
    if (active === undefined) await run.resume();
    return { run, toolUseId };
  }

  /** The run that made a call, if it was made in this process. */
  findByCall(toolUseId: string): MastraRun | undefined {
    return this.#byCall.get(toolUseId);
  }

  /** The call with a name and an input that hooks were not asked about, or that waits for a person and is resumed now. */
  findByInput(
    requestContext: RequestContext,
    toolName: string,
    input: unknown,
  ): { readonly run: MastraRun; readonly toolUseId: string } | undefined {
    for (const run of this.#list(requestContext)) {
      for (const [toolUseId, use] of run.calls)
        if (!run.asked.has(toolUseId) && isCall(use, toolName, input)) return { run, toolUseId };
    }
    for (const [toolUseId, run] of this.#byCall) {
      if (!run.waiting.has(toolUseId) || !isCall(run.calls.get(toolUseId), toolName, input)) continue;
      this.#resume(requestContext, run);
      return { run, toolUseId };
    }
    return undefined;
  }

  #findUnclaimed(requestContext: RequestContext | undefined): MastraRun | undefined {
    return this.#list(requestContext).findLast(({ isClaimed }) => !isClaimed);
  }

  #findDeclined(prompt: Prompt): MastraRun | undefined {
    const last = prompt.findLast(({ role }) => role === "tool");
    if (last === undefined || typeof last.content === "string") return undefined;
    const ids = last.content.map(({ toolCallId }) => String(toolCallId));
    return ids.map((id) => this.#byCall.get(id)).find((run) => ids.some((id) => run?.waiting.has(id)));
  }

  #resume(requestContext: RequestContext | undefined, run: MastraRun): void {
    if (this.#list(requestContext).includes(run)) return;
    run.isClaimed = false;
    this.#attach(requestContext, run);
  }

  #list(requestContext: RequestContext | undefined): readonly MastraRun[] {
    return (requestContext && this.#byContext.get(requestContext)) ?? [];
  }

  #attach(requestContext: RequestContext | undefined, run: MastraRun): void {
    if (requestContext === undefined) return;
    const active = this.#list(requestContext).filter(({ run }) => !run.hasEnded);
    this.#byContext.set(requestContext, [...active, run]);
  }
}

/** The delegations, by the request context of the subagent's run. Subagents may be of other configurations. */
const links = new WeakMap<RequestContext, Link>();

function findLink(requestContext: RequestContext, hooks: Hooks): Link | undefined {
  const link = links.get(requestContext);
  if (link !== undefined && link.run.hooks === hooks) link.hasSameHooks = true;
  return link;
}

/** Notes that a run with this request context belongs to a delegation. */
export function linkRun(requestContext: RequestContext, link: Link): void {
  links.set(requestContext, link);
}
