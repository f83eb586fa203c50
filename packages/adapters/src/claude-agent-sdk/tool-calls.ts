import { TenterhookError } from "@tenterhook/protocol";
import {
  type CallStart,
  type HostRun,
  type OpenCall,
  openCall,
  type ToolEnd,
  type ToolOutcome,
} from "../core/index.ts";
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

/** A tool call between `PreToolUse` and `PostToolUse`: Claude Code executes the tool, once. */
export class OpenClaudeCall {
  readonly agentId: string | undefined;
  readonly toolUseId: string;
  /** A person has approved this call in `canUseTool`, asked by a hook. */
  isApproved = false;
  /** A person has edited this call in `canUseTool`, so that hooks need not ask about it. */
  readonly isDecided: boolean;
  readonly #call: OpenCall;

  constructor(run: HostRun, call: ClaudeCall, handOver: BeforeExecution, isDecided: boolean) {
    const { agentId, toolName, toolInput, toolUseId } = call;
    const toolAliases = findAliases(toolName);
    this.#call = openCall(run, { toolName, toolInput, toolUseId, toolAliases }, { handOver });
    this.agentId = agentId;
    this.toolUseId = toolUseId;
    this.isDecided = isDecided;
  }

  /** Calls the hooks before the tool. */
  start(): Promise<CallStart> {
    return this.#call.start();
  }

  /** Calls the hooks after the tool. */
  finish(outcome: ToolOutcome): Promise<ToolEnd> {
    return this.#call.settle(outcome);
  }

  /** Claude Code, a rule or a person has refused the call after the hooks. */
  refuse(reason: string): Promise<ToolEnd> {
    return this.finish({ error: new TenterhookError("tool_blocked", reason) });
  }
}

/** A result that hooks replaced, until it is certain that the model reads the replacement. */
export interface ReplacedOutput {
  readonly original: unknown;
  readonly replacement: unknown;
}

/** The calls of a session that have not ended, by their ids. */
export class ToolCalls {
  readonly #open = new Map<string, OpenClaudeCall>();
  readonly replaced = new Map<string, ReplacedOutput>();

  /** Opens a call; one that is open with its id is dropped: a person has given it another input. Its hooks find it by its id. */
  open(run: HostRun, call: ClaudeCall, before: BeforeExecution, isDecided = false): OpenClaudeCall {
    const opened = new OpenClaudeCall(run, call, before, isDecided);
    this.#open.set(call.toolUseId, opened);
    return opened;
  }

  get(toolUseId: string): OpenClaudeCall | undefined {
    return this.#open.get(toolUseId);
  }

  take(toolUseId: string): OpenClaudeCall | undefined {
    const call = this.#open.get(toolUseId);
    this.#open.delete(toolUseId);
    return call;
  }

  /** Takes all calls of an agent: it has ended. */
  takeAll(agentId: string | undefined): readonly OpenClaudeCall[] {
    const calls = [...this.#open.values()].filter((call) => call.agentId === agentId);
    for (const { toolUseId } of calls) this.#open.delete(toolUseId);
    return calls;
  }
}
