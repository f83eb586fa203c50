import { createHash } from "node:crypto";
import type * as sdk from "@strands-agents/sdk";
import type { ApprovalDecision, ApprovalRequest } from "@tenterhook/engine";
import { asParent, callTool, contextText, type HostRun, snapshot } from "@tenterhook/engine/host";
import { isInstanceOf, isRecord } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";
import { drain, type Emit, relay } from "../core/index.ts";
import type { Invocation, Sdk } from "./invocation.ts";
import { delegate, findSubagent } from "./subagent.ts";

type Result = { readonly result: sdk.ToolResultBlock };
type Events = AsyncGenerator<sdk.AgentStreamEvent, Result, undefined>;

/**
 * A tool call with its hooks. It is the last thing before the tool itself, and its answer is a value, so that no other plugin can
 * reset a refusal, as it can reset `BeforeToolCallEvent.cancel`. It throws only to pause the run, where hooks ask a person: when the agent is
 * called with the answer, hooks are called again, and the answer is the decision.
 */
export async function* callToolWithHooks(
  invocation: Invocation,
  context: sdk.ExecuteToolContext,
  next: (context: sdk.ExecuteToolContext) => Events,
): Events {
  const { parts, run, toolEvents } = invocation;
  const { toolUse, tool } = context;
  const { name: toolName, toolUseId } = toolUse;
  const subagent = findSubagent(tool);
  // Frozen once for all that read it; the tool gets its own.
  const call = { toolName, toolInput: snapshot(toolUse.input), toolUseId };
  // Registers a question at once, so that all questions of a step are asked together; the middleware's own form loses some.
  const point = toolEvents.get(toolUseId);
  let last: { readonly result: sdk.ToolResultBlock; readonly value: unknown } | undefined;
  const runTool = async (input: unknown, emit: Emit<sdk.AgentStreamEvent>) => {
    const changed =
      input === call.toolInput
        ? context
        : { ...context, toolUse: { ...toolUse, input: input as sdk.JSONValue } };
    const { result } = await asParent(run, () => drain(next(changed), emit));
    const value = result.status === "error" ? readFailure(result) : readResult(result);
    last = { result, value };
    if (result.status === "error") throw value;
    return value;
  };
  const end = yield* relay((emit: Emit<sdk.AgentStreamEvent>) =>
    callTool(run, call, {
      isPause: isInterrupt,
      ask: (request) => {
        const question = createQuestion(request);
        return readDecision(
          point === undefined ? context.interrupt(question).response : point.interrupt(question),
        );
      },
      execute: (input) =>
        subagent === undefined
          ? runTool(input, emit)
          : delegate(parts, run, subagent, input, (changed) => runTool(changed, orStopped(run, emit))),
    }),
  );
  invocation.cancelIfStopped();
  const shown = "reason" in end ? end.reason : end.type === "failed" ? end.shown : end.value;
  // What the tool itself returned, unless hooks changed it.
  const own = end.type === "failed" ? end.error : end.type === "result" ? end.value : undefined;
  const result =
    last !== undefined && own === last.value
      ? last.result
      : writeResult(parts.sdk, toolUseId, end.type === "result" ? "success" : "error", shown);
  return { result: withContext(parts.sdk, result, end.context) };
}

/** Whether Strands pauses the run by this error: a tool, or a hook of another plugin, asks a person. */
function isInterrupt(error: unknown): boolean {
  return error instanceof Error && error.name === "InterruptError";
}

/**
 * The interrupt for a question. Its name contains a digest of the input, because Strands gives the same answer to the same name, and
 * a person who approved one input did not approve another.
 */
function createQuestion({ hook, reason, payload }: ApprovalRequest) {
  const { toolName, toolInput } = payload as Payload<"before_tool">;
  const digest = createHash("sha256")
    .update(JSON.stringify([toolName, toolInput]))
    .digest("hex");
  const shown = { reason, hook, toolName, toolInput: toolInput as sdk.JSONValue };
  return { name: `${hook} (${digest.slice(0, 12)})`, reason: shown };
}

const YES = /^(y|yes|approved?)$/i;

/** Reads the answer of a person to the interrupt. What is not an approval is a rejection. */
function readDecision(response: unknown): ApprovalDecision {
  if (response === true || (typeof response === "string" && YES.test(response.trim())))
    return { type: "approve" };
  if (!isRecord(response)) return { type: "reject" };
  const { type, approved, reason, value } = response;
  if (type === "edit" && isRecord(value)) return { type: "edit", value };
  if (type === "approve" || approved === true) return { type: "approve" };
  return typeof reason === "string" ? { type: "reject", reason } : { type: "reject" };
}

/**
 * The events of a subagent are not shown after a stop. It was cancelled, and is read to its end: one that is left in between would fire no
 * event at its end, and Strands would never run it again.
 */
function orStopped<E>(run: HostRun, emit: Emit<E>): Emit<E> {
  return (event) =>
    emit(event).catch((error: unknown) => {
      if (run.stopped === undefined) throw error;
    });
}

/** A result as hooks see it: a text, a JSON value, or the data of the blocks if there are several. */
function readResult({ content }: sdk.ToolResultBlock): unknown {
  const [first, ...rest] = content;
  if (first === undefined) return "";
  if (rest.length > 0) return content.map((block) => block.toJSON());
  if (first.type === "textBlock") return first.text;
  if (first.type !== "jsonBlock") return first.toJSON();
  // Strands puts lists into an object, because providers take only objects.
  const { json } = first;
  return isRecord(json) && Object.keys(json).length === 1 && Array.isArray(json.$value) ? json.$value : json;
}

/** The error of a failed result. */
function readFailure(result: sdk.ToolResultBlock): Error {
  const value = readResult(result);
  return result.error ?? new Error(typeof value === "string" ? value : JSON.stringify(value));
}

/** A result of Strands for what hooks returned. */
function writeResult(
  sdkModule: Sdk,
  toolUseId: string,
  status: "success" | "error",
  value: unknown,
): sdk.ToolResultBlock {
  return new sdkModule.ToolResultBlock({ toolUseId, status, content: writeContent(sdkModule, value) });
}

function writeContent(
  { TextBlock, JsonBlock, toolResultContentFromData }: Sdk,
  value: unknown,
): sdk.ToolResultContent[] {
  if (typeof value === "string") return [new TextBlock(value)];
  if (isInstanceOf(value, Error)) return [new TextBlock(value.message)];
  if (value === null || typeof value !== "object") return [new TextBlock(String(value ?? null))];
  const blocks = Array.isArray(value) ? value : [value];
  try {
    if (blocks.length > 0 && blocks.every((block) => isRecord(block) && Object.keys(block).length === 1))
      return blocks.map(toolResultContentFromData);
  } catch {
    // Not the data of blocks.
  }
  const json = JSON.parse(JSON.stringify(value)) as sdk.JSONValue;
  return [new JsonBlock({ json: Array.isArray(json) ? { $value: json } : json })];
}

/** The same result with context that hooks added. */
function withContext(
  { ToolResultBlock, TextBlock }: Sdk,
  result: sdk.ToolResultBlock,
  context: readonly string[],
): sdk.ToolResultBlock {
  if (context.length === 0) return result;
  const { toolUseId, status, content, error } = result;
  return new ToolResultBlock({
    toolUseId,
    status,
    content: [...content, new TextBlock(contextText(context))],
    ...(error !== undefined && { error }),
  });
}
