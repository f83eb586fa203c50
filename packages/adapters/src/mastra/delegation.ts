import { randomUUID } from "node:crypto";
import { type HostRun, startSubagent } from "@tenterhook/engine/host";
import type { Delegation, DelegationEnd, DelegationStart } from "./config.ts";
import type { Link, MastraRun } from "./mastra-run.ts";
import { linkRun, type Runs } from "./runs.ts";

/** Mastra's name of the tool that delegates to a subagent begins so. */
const PREFIX = "agent-";

/** Whether a subagent may start, and what it reads. */
type Start =
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "go_on"; readonly prompt: string; readonly link: Link };

/** The delegations of one agent. Its hooks are called by the first of two functions of Mastra that reaches them. */
export class Delegations {
  readonly #runs: Runs;
  readonly #started = new Map<string, Promise<Start>>();

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  isDelegation(toolName: string): boolean {
    return toolName.startsWith(PREFIX);
  }

  /** Fires `subagent_start`, once for each call. Rejects only when the run is stopped. */
  start(mastraRun: MastraRun, toolName: string, toolUseId: string, prompt: string): Promise<Start> {
    const known = this.#started.get(toolUseId);
    if (known !== undefined) return known;
    const start = this.#start(mastraRun.run, toolName.slice(PREFIX.length), prompt);
    start.catch(() => undefined);
    this.#started.set(toolUseId, start);
    return start;
  }

  async #start(run: HostRun, subagentName: string, prompt: string): Promise<Start> {
    const subagent = { subagentName, subagentId: randomUUID() };
    const start = await startSubagent(run, { ...subagent, taskDescription: prompt });
    if (start.type === "refused") return start;
    const { delegation, text } = start;
    return { type: "go_on", prompt: text, link: { run, delegation, hasSameHooks: false } };
  }

  /** The functions of Mastra around a delegation. They do not throw: Mastra would delegate all the same. */
  hook(own: Delegation | undefined): Delegation {
    return {
      ...own,
      onDelegationStart: (context) => this.#onStart(context, own),
      onDelegationComplete: (context) => this.#onComplete(context, own),
    };
  }

  async #onStart(context: DelegationStart, own: Delegation | undefined): Promise<unknown> {
    const { primitiveId, primitiveType, toolCallId, requestContext } = context;
    if (primitiveType !== "agent") return own?.onDelegationStart?.(context);
    const mastraRun = await this.#runs.find(undefined, toolCallId);
    const toolName = mastraRun.calls.get(toolCallId)?.name ?? `${PREFIX}${primitiveId}`;
    let start: Start;
    try {
      start = await this.start(mastraRun, toolName, toolCallId, context.prompt);
    } catch (error) {
      // A stop is stored in the run: the next call of the model fails with it.
      const { run } = mastraRun;
      return { proceed: false, rejectionReason: run.stopped?.reason ?? String(error) };
    }
    if (start.type === "refused") return { proceed: false, rejectionReason: start.reason };
    const { prompt } = start;
    linkRun(requestContext, start.link);
    const result = await own?.onDelegationStart?.({ ...context, prompt });
    return {
      ...(prompt !== context.prompt && { modifiedPrompt: prompt }),
      ...(result as object | undefined),
    };
  }

  async #onComplete(context: DelegationEnd, own: Delegation | undefined): Promise<unknown> {
    const start = await this.#started.get(context.toolCallId)?.catch(() => undefined);
    this.#started.delete(context.toolCallId);
    if (start?.type === "go_on" && !start.link.hasSameHooks) {
      const { run, delegation } = start.link;
      const text = context.result?.text ?? "";
      await run.fireLast("subagent_stop", {
        ...delegation,
        stopReason: context.success ? "completed" : "failed",
        finalMessage: text === "" ? null : { role: "assistant", content: text },
        result: text,
      });
    }
    return own?.onDelegationComplete?.(context);
  }
}
