import { TenterhookError } from "@tenterhook/protocol";
import { runCall } from "./call-tool.ts";
import type { HostRun } from "./run.ts";
import type { Awaitable, ToolCall, ToolChecks, ToolEnd, ToolOutcome } from "./tool-port.ts";

/** What the hooks before a tool decide: the framework executes it with this input, or the call has ended. */
export type CallStart =
  | { readonly type: "run"; readonly input: unknown }
  | { readonly type: "ended"; readonly end: ToolEnd };

/** How a host opens a call. */
export interface OpenCallPort extends ToolChecks {
  /**
   * Called once, inside the wrappers, before the framework executes the tool; returns the input for it. What it throws refuses or fails the
   * call, as what a tool throws.
   */
  handOver?(input: unknown): Awaitable<unknown>;
}

/** A tool call whose tool the framework executes, between two of its callbacks. */
export interface OpenCall {
  readonly isSettled: boolean;
  /** Calls the hooks before the tool. Call it once. */
  start(): Promise<CallStart>;
  /**
   * Calls the hooks after the tool. `again` executes the tool once more for a wrapper that calls `next` again; without it that `next`
   * rejects. Rejects with the error of `pause`.
   */
  settle(outcome: ToolOutcome, again?: (input: unknown) => unknown): Promise<ToolEnd>;
  /** The tool waits for something outside, and is executed later as another call: no event follows. Call it before `settle`. */
  pause(error: Error): void;
}

/**
 * Opens a tool call whose tool the framework executes: the hooks before the tool are called by `start`, and those after it by `settle`. For
 * the hooks it is one call, with wrappers around it.
 */
export function openCall(run: HostRun, call: ToolCall, port: OpenCallPort = {}): OpenCall {
  let ending: Promise<ToolEnd> | undefined;
  let paused: Error | undefined;
  let isSettled = false;
  let isHandedOver = false;
  /** What the tool threw. */
  let failure: unknown;
  let executeAgain: ((input: unknown) => unknown) | undefined;
  let settle: (outcome: ToolOutcome) => void = () => {};
  const outcome = new Promise<unknown>((resolve, reject) => {
    settle = (settled) => ("error" in settled ? reject(settled.error) : resolve(settled.value));
  });
  // A wrapper may leave it, and an abort does.
  outcome.catch(() => undefined);

  const handOver = async (input: unknown, start: (start: CallStart) => void): Promise<unknown> => {
    const prepared = port.handOver === undefined ? input : await port.handOver(input);
    isHandedOver = true;
    start({ type: "run", input: prepared });
    return outcome;
  };
  const orPaused = <T>(value: T): T => {
    if (paused !== undefined) throw paused;
    return value;
  };
  /** A wrapper has called `next` again. */
  const repeat = async (input: unknown): Promise<unknown> => {
    orPaused(undefined);
    if (executeAgain !== undefined) return orPaused(await executeAgain(input));
    const name = run.init.support?.name ?? "the host";
    const problem = `a wrapper called next() again, but ${name} executes this call of "${call.toolName}" only once.`;
    const hint = "Return or throw what the first next() gave.";
    throw new TenterhookError("unsupported_hook", problem, { event: "around_tool", hint, cause: failure });
  };

  return {
    get isSettled() {
      return isSettled;
    },
    start: () =>
      new Promise((resolve, reject) => {
        ending = runCall(run, call, port, {
          isPause: (error) => (paused !== undefined && error === paused) || port.isPause?.(error) === true,
          execute: (input) => (isHandedOver ? repeat(input) : handOver(input, resolve)),
        });
        ending.then((end) => resolve({ type: "ended", end }), reject);
      }),
    async settle(settled, again) {
      isSettled = true;
      executeAgain = again;
      failure = "error" in settled ? settled.error : undefined;
      settle(paused === undefined ? settled : { error: paused });
      const end = (await ending) as ToolEnd;
      // Also if a wrapper gave a result of its own.
      return orPaused(end);
    },
    pause(error) {
      paused = error;
    },
  };
}
