import { inspect } from "node:util";
import {
  callTool,
  decideApproval,
  isSameInput,
  type ToolApproval,
  type ToolCall,
} from "@tenterhook/engine/host";
import { isRecord, ownField } from "@tenterhook/internal";
import { asSchema } from "ai";
import type { SdkRun } from "./sdk-run.ts";
import type { PromptMessage, Tool, Tools } from "./sdk-types.ts";

/** Whether a person must be asked about a call. */
type ApprovalAnswer =
  | Extract<ToolApproval, { readonly type: "needs_approval" }>
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
  if (sdkRun.cutOff.has(call.toolUseId)) return { type: "free" };
  const answered = sdkRun.answered.get(call.toolUseId);
  if (answered === undefined && run.stopped === undefined && !run.hasHooks("before_tool"))
    return { type: "free", input: call.toolInput };
  const checks = { validate: validateInput(tool), decision: answered?.decision };
  let approval: ToolApproval;
  try {
    approval = await decideApproval(run, call, checks);
  } catch (error) {
    // Nothing but this can end a run whose tools alone have hooks.
    if (run.stopped === undefined || sdkRun.isBare) throw await sdkRun.fail(error);
    // After an abort the SDK may execute nothing any more, so that only this ends the run.
    if (run.stopped.by === "caller")
      await sdkRun.during(() => callTool(run, call, { execute: () => undefined }));
    // Else the stop is stored in the run: the call is refused where it would be executed.
    return { type: "free" };
  }
  // A person has decided about it before this run.
  if (answered !== undefined) return { type: "answered" };
  if (approval.type === "needs_approval") sdkRun.pause(call.toolUseId);
  return approval;
}

/** Checks an input that hooks changed by the schema of the tool; returns the problem. */
export function validateInput(tool: Tool | undefined) {
  return async (input: Record<string, unknown>): Promise<string | undefined> => {
    if (tool?.inputSchema === undefined) return undefined;
    const checked = await asSchema(tool.inputSchema as never).validate?.(input);
    return checked?.success === false ? checked.error.message : undefined;
  };
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

/** What version 7 asks before it executes a tool. */
interface ApprovalOptions {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly messages: readonly PromptMessage[];
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  readonly runtimeContext?: unknown;
}

type Status = string | undefined | { readonly type: string; readonly reason?: string };

/**
 * `toolApproval` of version 7 with the hooks: it carries the hook's reason. It replaces every other approval, also the tool's own
 * `needsApproval`, so that these are asked here.
 */
export function chainApproval(
  own: unknown,
  tools: Tools | undefined,
  getRun: () => SdkRun,
): (options: ApprovalOptions) => Promise<Status> {
  return async (options) => {
    const { toolName, toolCallId, input } = options.toolCall;
    const tool = ownField(tools ?? {}, toolName);
    const sdkRun = getRun();
    if (typeof tool?.execute !== "function") return sdkRun.orFail(() => askOwn(own, tools, options, input));
    const call = { toolName, toolUseId: toolCallId, toolInput: input };
    const answer = await askHooks(sdkRun, tool, call);
    if (answer.type === "needs_approval")
      return { type: "user-approval", reason: writeReason(answer, input) };
    if (answer.type === "answered") return "approved";
    if (answer.input === undefined) return "not-applicable";
    const status = await sdkRun.orFail(() => askOwn(own, tools, options, answer.input));
    if ((typeof status === "string" ? status : status?.type) === "user-approval") sdkRun.pause(toolCallId);
    return status;
  };
}

/** The hook's reason. The request shows the model's own input, so the reason names the one that hooks changed it to. */
function writeReason(
  { reason, input }: { readonly reason: string; readonly input: Readonly<Record<string, unknown>> },
  ownInput: unknown,
): string {
  if (isRecord(ownInput) && isSameInput(input, ownInput)) return reason;
  return `${reason} (with the input that a hook changed: ${formatInput(input)})`;
}

/** As JSON, unless it has none: a schema of the tool may have made a BigInt. */
function formatInput(input: object): string {
  try {
    return JSON.stringify(input);
  } catch {
    return inspect(input, { breakLength: Number.POSITIVE_INFINITY });
  }
}

/** The user's own approval, as version 7 asks it. */
async function askOwn(
  own: unknown,
  tools: Tools | undefined,
  options: ApprovalOptions,
  input: unknown,
): Promise<Status> {
  const { toolCall, messages, toolsContext, runtimeContext } = options;
  if (typeof own === "function") return own({ ...options, tools }) as Promise<Status>;
  const { toolName, toolCallId } = toolCall;
  const context = ownField(toolsContext ?? {}, toolName);
  const entry = ownField((own ?? {}) as Readonly<Record<string, unknown>>, toolName);
  if (typeof entry === "function")
    return entry(input, { toolCallId, messages, toolContext: context, runtimeContext }) as Promise<Status>;
  if (entry !== undefined && entry !== null) return entry as Status;
  const isNeeded = await askTool(ownField(tools ?? {}, toolName), input, { toolCallId, messages, context });
  return isNeeded ? "user-approval" : "not-applicable";
}
