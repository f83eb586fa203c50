import { inspect } from "node:util";
import { isRecord, isThenable, ownField } from "@tenterhook/internal";
import { isSameInput } from "../core/index.ts";
import { askHooks, askTool } from "./hooked-tools.ts";
import type { SdkRun } from "./sdk-run.ts";
import type { PromptMessage, Tools } from "./sdk-types.ts";

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
function askOwn(
  own: unknown,
  tools: Tools | undefined,
  options: ApprovalOptions,
  input: unknown,
): Status | PromiseLike<Status> {
  const { toolCall, messages, toolsContext, runtimeContext } = options;
  if (typeof own === "function") return own({ ...options, tools }) as Status | PromiseLike<Status>;
  const { toolName, toolCallId } = toolCall;
  const context = ownField(toolsContext ?? {}, toolName);
  const entry = ownField((own ?? {}) as Readonly<Record<string, unknown>>, toolName);
  if (entry !== undefined && entry !== null) {
    if (typeof entry !== "function") return entry as Status;
    const settings = { toolCallId, messages, toolContext: context, runtimeContext };
    return entry(input, settings) as Status | PromiseLike<Status>;
  }
  const isNeeded = askTool(ownField(tools ?? {}, toolName), input, { toolCallId, messages, context });
  const read = (needed: boolean): Status => (needed ? "user-approval" : "not-applicable");
  return isThenable(isNeeded) ? isNeeded.then(read) : read(isNeeded);
}
