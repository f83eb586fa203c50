import { ToolMessage } from "@langchain/core/messages";
import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import type { ApprovalDecision, ApprovalRequest } from "@tenterhook/engine";
import {
  asParent,
  callTool,
  contextText,
  type HostRun,
  type ToolEnd,
  writableCopy,
} from "@tenterhook/engine/host";
import { isRecord, messageOf } from "@tenterhook/internal";
import type { Payload } from "@tenterhook/protocol";
import type { ToolCallRequest } from "langchain";
import { toText } from "./messages.ts";
import type { Runtime } from "./runs.ts";

/** LangGraph's command, as far as it is used here. */
interface Command {
  readonly lg_name: "Command";
  readonly update?: unknown;
}

/** What a tool gives to LangChain: a message for the model, or a command that contains one. */
type ToolOutput = ToolMessage | Command;

/**
 * Calls a tool with its hooks. It throws only to pause the graph, where hooks ask a person: then all of this runs again with the answer.
 * Every refusal and failure is a message for the model.
 */
export async function callToolWithHooks(
  run: HostRun,
  request: ToolCallRequest,
  handler: (request: ToolCallRequest) => ToolOutput | Promise<ToolOutput>,
): Promise<ToolOutput> {
  const { toolCall, tool } = request;
  const { interrupt } = request.runtime as Runtime;
  const { name: toolName, args: toolInput, id: toolUseId = "" } = toolCall;
  let output: ToolOutput | undefined;
  const end = await callTool(
    run,
    { toolName, toolInput, toolUseId },
    {
      validate: (input) => findProblem(tool, input),
      isPause,
      // What it throws besides a pause, such as a missing checkpointer, refuses the call.
      ask: (question) => {
        if (interrupt === undefined) throw new Error("LangGraph gave no interrupt function");
        return readDecision(interrupt(createQuestion(question) as never));
      },
      execute: async (input) => {
        const args = input as typeof toolCall.args;
        output = await asParent(run, () => handler({ ...request, toolCall: { ...toolCall, args } }));
        return readOutput(output, toolUseId);
      },
    },
  );
  return writeEnd(end, { id: toolUseId, name: toolName }, output);
}

/** Errors by which LangGraph pauses a graph or leaves it: they are not failures. */
export function isPause(error: unknown): boolean {
  return isRecord(error) || error instanceof Error
    ? (error as { is_bubble_up?: unknown }).is_bubble_up === true
    : false;
}

async function findProblem(tool: unknown, input: Record<string, unknown>): Promise<string | undefined> {
  const { schema } = Object(tool) as { schema?: unknown };
  // A JSON Schema is checked by the tool itself, whose error the model reads.
  if (!isInteropZodSchema(schema)) return undefined;
  const parsed = await interopSafeParseAsync(schema as never, input);
  return parsed.success ? undefined : messageOf(parsed.error);
}

/** The question to a person, in the format of LangChain's own `humanInTheLoopMiddleware`, which user interfaces know already. */
function createQuestion({ reason, hook, payload, edits }: ApprovalRequest) {
  const { toolName, toolInput } = payload as Payload<"before_tool">;
  const description = `Hook "${hook}" asks for approval: ${reason}`;
  const allowedDecisions = edits === undefined ? ["approve", "reject"] : ["approve", "edit", "reject"];
  return {
    actionRequests: [{ name: toolName, args: toolInput, description }],
    reviewConfigs: [{ actionName: toolName, allowedDecisions }],
  };
}

/**
 * Reads the value that the run was resumed with: `{ decisions: [{ type: "approve" }] }` as for `humanInTheLoopMiddleware`, or the
 * decision alone. Everything else is a rejection, because nobody approved.
 */
function readDecision(answer: unknown): ApprovalDecision {
  const { decisions } = isRecord(answer) ? answer : {};
  const decision: unknown = Array.isArray(decisions) ? decisions[0] : answer;
  if (isRecord(decision)) {
    const { type, message, editedAction } = decision;
    if (type === "approve") return { type };
    if (type === "reject") return typeof message === "string" ? { type, reason: message } : { type };
    if (type === "edit" && isRecord(editedAction) && isRecord(editedAction.args))
      return { type, value: editedAction.args };
  }
  return {
    type: "reject",
    reason: 'the run was resumed without a decision: { decisions: [{ type: "approve" }] } approves.',
  };
}

/** The result as hooks see it: what the model would read. Throws for a message that says the call failed. */
function readOutput(output: ToolOutput, toolUseId: string): unknown {
  const message = findToolMessage(output, toolUseId);
  if (message?.status === "error")
    throw Object.assign(new Error(toText(message.content)), { name: "ToolErrorMessage" });
  return message?.content;
}

/** A tool may also return the update of a command: then its message is one of those that the command adds. */
function findToolMessage(output: ToolOutput, toolUseId: string): ToolMessage | undefined {
  if (ToolMessage.isInstance(output)) return output as ToolMessage;
  return readMessages(output as Command).find(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && (message as ToolMessage).tool_call_id === toolUseId,
  );
}

function readMessages({ update }: Command): readonly unknown[] {
  const { messages } = isRecord(update) ? update : {};
  return Array.isArray(messages) ? messages : [];
}

interface CallNames {
  readonly id: string;
  readonly name: string;
}

function writeEnd(end: ToolEnd, call: CallNames, output: ToolOutput | undefined): ToolOutput {
  const context = end.context.length === 0 ? "" : `\n\n${contextText(end.context)}`;
  if (end.type === "result") return writeResult(output, end.value, call, context);
  // Not thrown: an error here would lose the results of the calls beside it. The next model call ends the run.
  const text = end.type === "failed" ? readFailure(end) : end.reason;
  const { id, name } = call;
  return new ToolMessage({ tool_call_id: id, name, content: `${text}${context}`, status: "error" });
}

/** What LangChain itself shows the model for an error that no hook changed. */
function readFailure({ error, shown }: ToolEnd & { readonly type: "failed" }): string {
  if (shown !== error.message) return toText(shown);
  const { "~brand": brand } = error as { "~brand"?: unknown };
  return error.name === "ToolErrorMessage" || brand === "ToolInvocationError"
    ? error.message
    : `${error}\n Please fix your mistakes.`;
}

/** The tool's output after the hooks: as it was if they left it so, else with their result in the message for the model. */
function writeResult(
  output: ToolOutput | undefined,
  value: unknown,
  { id, name }: CallNames,
  context: string,
): ToolOutput {
  const original = output === undefined ? undefined : findToolMessage(output, id);
  const isChanged = output === undefined || value !== original?.content;
  if (!isChanged && context === "") return output;
  const content = addContext(isChanged ? toContent(value) : original?.content, context);
  const message = new ToolMessage({
    ...(isChanged
      ? {}
      : { artifact: original?.artifact, additional_kwargs: original?.additional_kwargs ?? {} }),
    tool_call_id: id,
    name: original?.name ?? name,
    content: content as string,
  });
  return output === undefined || ToolMessage.isInstance(output)
    ? message
    : replaceMessage(output as Command, original, message);
}

function replaceMessage(command: Command, original: ToolMessage | undefined, message: ToolMessage): Command {
  const messages = readMessages(command).map((known) => (known === original ? message : known));
  if (original === undefined) messages.push(message);
  const changed = Object.assign(Object.create(Object.getPrototypeOf(command) as object), command);
  return Object.assign(changed, { update: { ...(command.update as object), messages } }) as Command;
}

/** Text, or parts of a message; other values as JSON. */
function toContent(value: unknown): unknown {
  const isParts =
    Array.isArray(value) && value.every((part) => isRecord(part) && typeof part.type === "string");
  return isParts && value.length > 0 ? writableCopy(value) : toText(value ?? "");
}

function addContext(content: unknown, context: string): unknown {
  if (context === "") return content;
  if (Array.isArray(content)) return [...content, { type: "text", text: context.trimStart() }];
  return `${toText(content ?? "")}${context}`;
}
