import { TenterhookError } from "@tenterhook/protocol";
import { callTool, type HookedRun, type ToolEnd } from "../core/index.ts";
import { findAliases } from "./tool-names.ts";

/** A tool call, as `PreToolUse` describes it. */
export interface ClaudeCall {
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly toolUseId: string;
  readonly agentId: string | undefined;
}

/** What is done before the tool runs, after its hooks; returns the input. What it throws refuses or fails the call. */
export type BeforeExecution = (input: unknown) => unknown;

/** What `PreToolUse` answers: the tool runs with this input, or the call has ended. */
export type Start =
  | { readonly type: "run"; readonly input: unknown }
  | { readonly type: "ended"; readonly end: ToolEnd };

/**
 * A tool call between two callbacks: Claude Code executes the tool after `PreToolUse` was answered, and reports the result in
 * `PostToolUse`. For the hooks it is one call, with wrappers around it.
 */
export class OpenCall {
  readonly call: ClaudeCall;
  /** Resolves when it is decided whether the tool runs. It never rejects. */
  readonly start: Promise<Start>;
  /** Resolves when the events after the call have been fired. It never rejects. */
  readonly end: Promise<ToolEnd>;
  /** A person has approved this call in `canUseTool`, asked by a hook. */
  isApproved = false;
  /** A person has edited this call in `canUseTool`, so that hooks need not ask about it. */
  readonly isDecided: boolean;
  readonly #executed: Promise<unknown>;
  #resolve: (result: unknown) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #announce: (start: Start) => void = () => {};
  #finish: (end: ToolEnd | Promise<ToolEnd>) => void = () => {};

  constructor(call: ClaudeCall, isDecided: boolean) {
    this.call = call;
    this.isDecided = isDecided;
    this.#executed = new Promise<unknown>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A call that hooks refused is never executed.
    this.#executed.catch(() => {});
    this.start = new Promise((resolve) => {
      this.#announce = resolve;
    });
    this.end = new Promise((resolve) => {
      this.#finish = resolve;
    });
    void this.end.then((end) => this.#announce({ type: "ended", end }));
  }

  /** Calls the hooks, which find this call by its id when they ask a person. */
  begin(run: HookedRun, before: BeforeExecution): void {
    const { toolName, toolInput, toolUseId } = this.call;
    const execute = async (input: unknown) => {
      this.#announce({ type: "run", input: await before(input) });
      return this.#executed;
    };
    const toolAliases = findAliases(toolName);
    this.#finish(callTool(run, { toolName, toolInput, toolUseId, toolAliases }, { execute }));
  }

  /** The tool has succeeded. Resolves when the hooks have been called. */
  succeed(result: unknown): Promise<ToolEnd> {
    this.#resolve(result);
    return this.end;
  }

  fail(error: Error): Promise<ToolEnd> {
    this.#reject(error);
    return this.end;
  }

  /** Claude Code, a rule or a person has refused the call after the hooks. */
  refuse(reason: string): Promise<ToolEnd> {
    return this.fail(new TenterhookError("tool_blocked", reason));
  }
}

/** A result that hooks replaced, until it is certain that the model reads the replacement. */
export interface ReplacedOutput {
  readonly original: unknown;
  readonly replacement: unknown;
}

/** The calls of a session that have not ended, by their ids. */
export class ToolCalls {
  readonly #open = new Map<string, OpenCall>();
  readonly replaced = new Map<string, ReplacedOutput>();

  /** Opens a call; one that is open with its id is dropped: a person has given it another input. */
  open(run: HookedRun, call: ClaudeCall, before: BeforeExecution, isDecided = false): OpenCall {
    const opened = new OpenCall(call, isDecided);
    this.#open.set(call.toolUseId, opened);
    opened.begin(run, before);
    return opened;
  }

  get(toolUseId: string): OpenCall | undefined {
    return this.#open.get(toolUseId);
  }

  take(toolUseId: string): OpenCall | undefined {
    const call = this.#open.get(toolUseId);
    this.#open.delete(toolUseId);
    return call;
  }

  /** Takes all calls of an agent: it has ended. */
  takeAll(agentId: string | undefined): readonly OpenCall[] {
    const calls = [...this.#open.values()].filter(({ call }) => call.agentId === agentId);
    for (const { call } of calls) this.#open.delete(call.toolUseId);
    return calls;
  }
}
