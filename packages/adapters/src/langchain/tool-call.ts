import { ToolMessage } from "@langchain/core/messages";
import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import { mayHaveHooks } from "@tenterhook/engine/host";
import { isRecord, messageOf } from "@tenterhook/internal";
import type { ToolCallRequest } from "langchain";
import { callTool, contextText, decideApproval, type ToolCall, type ToolEnd } from "../core/index.ts";
import { createQuestion, readDecision } from "./approval.ts";
import { toText } from "./messages.ts";
import type { AgentRun, Runtime } from "./runs.ts";
import { readOutput, type ToolOutput, writeOutput } from "./tool-output.ts";

type Handler = (request: ToolCallRequest) => ToolOutput | Promise<ToolOutput>;

/** Calls a tool with its hooks. It throws only to pause the graph: every refusal and failure is a message for the model. */
export async function callToolWithHooks(
  agentRun: AgentRun,
  request: ToolCallRequest,
  handler: Handler,
): Promise<ToolOutput> {
  const { run } = agentRun;
  const { toolCall, tool } = request;
  const call: ToolCall = { toolName: toolCall.name, toolInput: toolCall.args, toolUseId: toolCall.id ?? "" };
  const validate = (input: Record<string, unknown>) => findProblem(tool, input);
  if (run.init.approve === undefined && mayHaveHooks(run.hooks, "before_tool"))
    await askBeforehand(agentRun, request.runtime as Runtime, call, validate);
  let output: ToolOutput | undefined;
  const end = await callTool(run, call, {
    validate,
    isPause,
    execute: async (input) => {
      const args = input as typeof toolCall.args;
      output = await agentRun.asParent(() => handler({ ...request, toolCall: { ...toolCall, args } }));
      return readOutput(output, call.toolUseId);
    },
  });
  return writeEnd(end, toolCall, output);
}

/**
 * Calls the hooks, and asks the person through LangGraph's `interrupt` when one of them asks. That throws to pause the graph; when it
 * is resumed, all of this runs again, and `interrupt` returns the decision.
 */
async function askBeforehand(
  { run }: AgentRun,
  { interrupt }: Runtime,
  call: ToolCall,
  validate: (input: Record<string, unknown>) => Promise<string | undefined>,
): Promise<void> {
  let pause: unknown;
  try {
    const approval = await decideApproval(run, call, {
      validate,
      ask: (question) => {
        try {
          if (interrupt === undefined) throw new Error("LangGraph gave no interrupt function");
          return readDecision(interrupt(createQuestion(question) as never));
        } catch (error) {
          // Anything else, such as a missing checkpointer, refuses the call.
          if (!isPause(error)) throw error;
          pause = error;
          return undefined;
        }
      },
    });
    if (approval.type === "needs_approval") throw pause;
  } catch (error) {
    if (error === pause) throw error;
    // A stop is stored in the run, where `callTool` finds it.
  }
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

function writeEnd(
  end: ToolEnd,
  { id, name }: ToolCallRequest["toolCall"],
  output: ToolOutput | undefined,
): ToolOutput {
  const context = end.context.length === 0 ? "" : `\n\n${contextText(end.context)}`;
  const error = (text: string) =>
    new ToolMessage({ tool_call_id: id ?? "", name, content: `${text}${context}`, status: "error" });
  switch (end.type) {
    case "result":
      return writeOutput(output, end.value, { id: id ?? "", name, context });
    case "failed":
      return error(readFailure(end));
    case "refused":
    case "stopped":
      // Not thrown: an error here would lose the results of the calls beside it. The next model call ends the run.
      return error(end.reason);
  }
}

/** What LangChain itself shows the model for an error that no hook changed. */
function readFailure({ error, shown }: ToolEnd & { readonly type: "failed" }): string {
  if (shown !== error.message) return toText(shown);
  const isReturned = error.name === "ToolErrorMessage";
  const { "~brand": brand } = error as { "~brand"?: unknown };
  return isReturned || brand === "ToolInvocationError"
    ? error.message
    : `${error}\n Please fix your mistakes.`;
}
