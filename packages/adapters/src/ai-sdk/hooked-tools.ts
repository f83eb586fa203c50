import { isThenable, setField } from "@tenterhook/internal";
import { mayDecide } from "@tenterhook/protocol/internal";
import { asSchema } from "ai";
import {
  type AdapterOptions,
  type Approval,
  asParent,
  callTool,
  decideApproval,
  type ToolCall,
  type ToolPort,
  warnOnce,
} from "../core/index.ts";
import { readSchema } from "./read-schema.ts";
import type { SdkRun } from "./sdk-run.ts";
import type { Tool, ToolOptions, Tools } from "./sdk-types.ts";
import { readEnd } from "./tool-end.ts";

/** The run that a call belongs to. */
export type GetRun = (options: ToolOptions) => SdkRun;

/**
 * Tools whose calls go through the hooks. Tools without `execute` run elsewhere and stay as they are. `isOneRun`: the tools are those of
 * one run, and no program reads them.
 */
export function wrapTools(tools: Tools | undefined, getRun: GetRun, isOneRun = false): Record<string, Tool> {
  const wrapped: Record<string, Tool> = {};
  for (const name of Object.keys(tools ?? {})) {
    const hooked = wrapTool(name, tools?.[name] as Tool, getRun);
    setField(wrapped, name, isOneRun ? withSchema(hooked) : hooked);
  }
  return wrapped;
}

function withSchema(tool: Tool): Tool {
  const inputSchema = readSchema(tool.inputSchema);
  return inputSchema === tool.inputSchema ? tool : Object.assign({}, tool, { inputSchema });
}

/** Whether a person must be asked about a call. */
export type ApprovalAnswer =
  | Extract<Approval, { readonly type: "needs_approval" }>
  /** A person approved it before this run; the SDK refuses the call unless it hears again that it needs approval. */
  | { readonly type: "answered" }
  /** Hooks do not ask. `input` is the one that would be executed; absent if the call is not executed. */
  | { readonly type: "free"; readonly input?: unknown };

/** Calls the hooks of `before_tool` about a call, before the SDK asks whether it needs approval. */
export async function askHooks(
  sdkRun: SdkRun,
  tool: Tool | undefined,
  call: ToolCall,
): Promise<ApprovalAnswer> {
  if (!sdkRun.hasBegun) await sdkRun.begin();
  const { run } = sdkRun;
  // The SDK asks, and does not execute it.
  if (sdkRun.isCutOff(call.toolUseId)) return { type: "free" };
  const answered = sdkRun.answered.get(call.toolUseId);
  if (answered === undefined && run.stopped === undefined && !run.hasHooks("before_tool"))
    return { type: "free", input: call.toolInput };
  const checks = { validate: validator(tool), decision: answered?.decision };
  let approval: Approval;
  try {
    approval = await decideApproval(run, call, checks);
  } catch (error) {
    return readFailure(sdkRun, call, error);
  }
  // A person has decided about it before this run.
  if (answered !== undefined) return { type: "answered" };
  if (approval.type === "needs_approval") sdkRun.pause(call.toolUseId);
  return approval;
}

/** What a failed decision means for the call. Rejects where the run fails. */
async function readFailure(sdkRun: SdkRun, call: ToolCall, error: unknown): Promise<ApprovalAnswer> {
  const { run } = sdkRun;
  if (run.stopped === undefined) throw await sdkRun.fail(error);
  // The stop is stored in the run: the call is refused where it would be executed.
  if (!sdkRun.isBare && run.stopped?.by === "hook") return { type: "free" };
  const refuse = () => callTool(run, call, { execute: () => undefined });
  // After an abort the SDK may execute nothing any more, so that only this ends the run.
  if (!sdkRun.isBare) {
    await sdkRun.during(refuse);
    return { type: "free" };
  }
  // Nothing but this can end a run whose tools alone have hooks.
  await refuse();
  throw run.stopped.error;
}

/** The tool's own decision whether it needs approval. */
export function askTool(
  tool: Tool | undefined,
  input: unknown,
  options: unknown,
): boolean | PromiseLike<boolean> {
  const { needsApproval = false } = tool ?? {};
  return typeof needsApproval === "function"
    ? needsApproval(input as never, options as never)
    : needsApproval;
}

function wrapTool(toolName: string, tool: Tool, getRun: GetRun): Tool {
  const { execute } = tool;
  if (typeof execute !== "function") return tool;
  const needsApproval = async (toolInput: unknown, options: ToolOptions): Promise<boolean> => {
    const sdkRun = getRun(options);
    const { toolCallId: toolUseId } = options;
    const answer = await askHooks(sdkRun, tool, { toolName, toolInput, toolUseId });
    if (answer.type !== "free") return true;
    const { input } = answer;
    if (input === undefined) return false;
    const isNeeded = await sdkRun.orFail(() => askTool(tool, input, options));
    if (isNeeded) sdkRun.pause(toolUseId);
    return isNeeded;
  };
  const call = async (toolInput: unknown, options: ToolOptions, preliminary?: (value: unknown) => void) => {
    const sdkRun = getRun(options);
    const { run } = sdkRun;
    run.follow(options.abortSignal);
    if (!sdkRun.hasBegun) await sdkRun.begin();
    const { toolCallId: toolUseId } = options;
    const port: ToolPort = {
      validate: validator(tool),
      decision: sdkRun.answered.get(toolUseId)?.decision,
      execute: (input) => {
        // Also aborted when a hook stops the run. Few tools read it, and a short run notices the signal.
        const settings = {
          ...options,
          get abortSignal() {
            return run.signal.signal;
          },
        };
        return asParent(run, () =>
          readLast(execute.call(tool, input as never, settings as never), preliminary),
        );
      },
    };
    const end = await sdkRun.during(() => callTool(run, { toolName, toolInput, toolUseId }, port));
    sdkRun.addContext(toolUseId, end.context);
    if (end.type === "stopped" && sdkRun.isBare && run.stopped?.by === "hook")
      warnAboutStop(toolName, sdkRun.options);
    return readEnd(end);
  };
  const isGenerator = Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
  // Not spreads: properties that follow one take longer than all the rest.
  if (!isGenerator)
    return Object.assign({}, tool, {
      needsApproval: needsApproval as NonNullable<Tool["needsApproval"]>,
      execute: (input: unknown, options: ToolOptions) => call(input, options),
    });
  return Object.assign({}, tool, {
    needsApproval: needsApproval as NonNullable<Tool["needsApproval"]>,
    /** Preliminary results are shown unless a hook may still change or withhold the result. */
    async *execute(input: unknown, options: ToolOptions) {
      const isShown = getRun(options)
        .run.hooks.list("after_tool")
        .every((hook) => !mayDecide(hook));
      const queue: unknown[] = [];
      let wake = () => {};
      let isDone = false;
      const ending = call(input, options, (value) => {
        if (!isShown) return;
        queue.push(value);
        wake();
      }).finally(() => {
        isDone = true;
        wake();
      });
      ending.catch(() => undefined);
      while (!isDone || queue.length > 0) {
        if (queue.length > 0) yield queue.shift();
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      yield await ending;
    },
  });
}

function warnAboutStop(toolName: string, { warn = warnOnce }: AdapterOptions): void {
  warn(
    `A hook stopped the run at the tool "${toolName}", and the AI SDK goes on: only withHooks can stop a run once a tool is executed.`,
  );
}

/** The last value of a tool that yields preliminary ones. */
function readLast(value: unknown, preliminary?: (value: unknown) => void): unknown {
  const read = (result: unknown) =>
    typeof result === "object" && result !== null && Symbol.asyncIterator in result
      ? readParts(result as AsyncIterable<unknown>, preliminary)
      : result;
  return isThenable(value) ? Promise.resolve(value).then(read) : read(value);
}

async function readParts(
  parts: AsyncIterable<unknown>,
  preliminary?: (value: unknown) => void,
): Promise<unknown> {
  let last: unknown;
  for await (const part of parts) {
    last = part;
    preliminary?.(part);
  }
  return last;
}

function validator(tool: Tool | undefined) {
  return async (input: Record<string, unknown>): Promise<string | undefined> => {
    if (tool?.inputSchema === undefined) return undefined;
    const checked = await asSchema(tool.inputSchema as never).validate?.(input);
    return checked?.success === false ? checked.error.message : undefined;
  };
}
