import { BoundedMap } from "@tenterhook/internal";
import type { Prompt, RequestContext } from "./config.ts";
import { MastraRun, type RunStart } from "./mastra-run.ts";
import { findLink } from "./subagent-link.ts";

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
    const link = requestContext === undefined ? undefined : findLink(requestContext, this.#start.hooks);
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
    const begun = this.#list(requestContext).find((run) => !run.isClaimed && !run.hasEnded);
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
    const run =
      this.#list(requestContext).findLast(({ isClaimed }) => !isClaimed) ?? this.open(requestContext);
    await run.resume();
    return run;
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
    const text = JSON.stringify(input);
    const isCall = (run: MastraRun, id: string) => {
      const use = run.calls.get(id);
      return use?.name === toolName && JSON.stringify(use.input) === text;
    };
    for (const run of this.#list(requestContext)) {
      for (const toolUseId of run.calls.keys())
        if (!run.asked.has(toolUseId) && isCall(run, toolUseId)) return { run, toolUseId };
    }
    for (const [toolUseId, run] of this.#byCall) {
      if (!run.waiting.has(toolUseId) || !isCall(run, toolUseId)) continue;
      this.#resume(requestContext, run);
      return { run, toolUseId };
    }
    return undefined;
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
    const active = this.#list(requestContext).filter(({ hasEnded }) => !hasEnded);
    this.#byContext.set(requestContext, [...active, run]);
  }
}
