import { callTool, type HookedRun, type ToolCall, type ToolChecks, type ToolEnd } from "../core/index.ts";

/** What the first hooks of a call say: execute the tool with this input, or the call has ended. */
export type CallBeginning = { readonly type: "execute"; readonly input: unknown } | ToolEnd;

/**
 * A tool call whose tool is executed by someone else, between two functions of Mastra: the hooks before it are called by `begin`, and
 * those after it by `settle`.
 */
export class StartedCall {
  readonly #end: Promise<ToolEnd>;
  readonly #reached: Promise<CallBeginning>;
  #settle: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;
  /** Whether the tool waits for something outside: it is executed again later. */
  isSuspended = false;
  isSettled = false;

  constructor(run: HookedRun, call: ToolCall, checks: ToolChecks) {
    let reach: (beginning: CallBeginning) => void = () => {};
    const reached = new Promise<CallBeginning>((resolve) => {
      reach = resolve;
    });
    this.#end = callTool(run, call, {
      ...checks,
      isPause: (error) => error instanceof Suspension,
      execute: (input) => {
        const result = new Promise((resolve, reject) => {
          this.#settle = { resolve, reject };
        });
        // A wrapper may leave it, and an abort does.
        result.catch(() => undefined);
        reach({ type: "execute", input });
        return result;
      },
    });
    this.#end.catch(() => undefined);
    this.#reached = reached;
  }

  /** Calls the hooks before the tool. */
  begin(): Promise<CallBeginning> {
    return Promise.race([this.#reached, this.#end]);
  }

  /** Calls the hooks after the tool, which gave a value or threw an error. Returns `undefined` if the tool is suspended. */
  async settle(
    result: { readonly value: unknown } | { readonly error: unknown },
  ): Promise<ToolEnd | undefined> {
    this.isSettled = true;
    if (this.isSuspended) this.#settle?.reject(new Suspension());
    else if ("error" in result) this.#settle?.reject(result.error);
    else this.#settle?.resolve(result.value);
    try {
      return await this.#end;
    } catch (error) {
      if (error instanceof Suspension) return undefined;
      throw error;
    }
  }
}

class Suspension extends Error {}
