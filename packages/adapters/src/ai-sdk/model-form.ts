import { type AnswerChanges, type HookedAnswer, type ModelPort, snapshot } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import type { Message, ToolDefinition, ToolUse, Usage } from "@tenterhook/protocol";
import { parseInput } from "../core/index.ts";
import type { LoopRun } from "./loop-run.ts";
import type { CallParams, FunctionTool, GenerateResult, Model, Part, PromptMessage } from "./sdk-types.ts";

/** How a model is called: `doGenerate`, or `doStream` and collecting what it writes. */
type CallModel = (model: Model, params: CallParams) => PromiseLike<GenerateResult>;

/** Translates calls of a model. */
interface ModelForm extends ModelPort<CallParams, GenerateResult> {
  /** The model, or the one that a hook chose. */
  target: Model;
}

export function createForm(model: Model, loopRun: LoopRun, call: CallModel): ModelForm {
  const form: ModelForm = {
    target: model,
    readRequest({ prompt, tools = [] }) {
      const [first] = prompt;
      const isPrompt = first?.role === "system" && typeof first.content === "string";
      return {
        messages: prompt as readonly Message[],
        tools: tools.map(readTool),
        systemPrompt: isPrompt ? (first.content as string) : undefined,
        model: model.modelId,
      };
    },
    changeRequest(params, { messages, tools, model: name }) {
      if (name !== undefined) form.target = loopRun.findModel(name);
      return {
        ...params,
        ...(messages !== undefined && {
          prompt: (messages as readonly PromptMessage[]).map(toPromptMessage),
        }),
        ...(tools !== undefined && { tools: writeTools(tools, params.tools) }),
      };
    },
    call: (params, name) => call(name === undefined ? form.target : loopRun.findModel(name), params),
    readAnswer,
    changeAnswer,
    createResponse: (answer) => createResult(model, answer),
    addFeedback(params, text) {
      const feedback: PromptMessage = { role: "user", content: [{ type: "text", text }] };
      return { ...params, prompt: [...params.prompt, feedback] };
    },
  };
  return form;
}

/** The tools that hooks were given, by the schema: the SDK makes a new definition for each call, with the schema of the tool. */
const definitions = new WeakMap<object, ToolDefinition>();

/** A tool as hooks see it. It is copied again only if it differs from the one before with this schema. */
function readTool(tool: FunctionTool): ToolDefinition {
  const { inputSchema } = tool;
  if (typeof inputSchema !== "object" || inputSchema === null) return tool as unknown as ToolDefinition;
  const known = definitions.get(inputSchema);
  if (known !== undefined && isSameTool(known as unknown as FunctionTool, tool)) return known;
  const definition = snapshot(tool) as unknown as ToolDefinition;
  definitions.set(inputSchema, definition);
  return definition;
}

/** The tools that hooks returned; those that they did not change are the SDK's own. */
function writeTools(
  tools: readonly ToolDefinition[],
  own: readonly FunctionTool[] = [],
): readonly FunctionTool[] {
  const known = new Map(own.map((tool) => [readTool(tool), tool]));
  return tools.map((tool) => known.get(tool) ?? ({ type: "function", ...tool } as FunctionTool));
}

/** Whether a copy is one of this tool, which has the same schema. Only tools whose other fields are no objects are compared. */
function isSameTool(copy: FunctionTool, tool: FunctionTool): boolean {
  const keys = Object.keys(tool);
  return (
    keys.length === Object.keys(copy).length &&
    keys.every((key) => key === "inputSchema" || (key in copy && copy[key] === tool[key]))
  );
}

/** The answer of a result as hooks see it. Calls that the provider executes are left out. */
export function readAnswer({ content, usage }: GenerateResult): HookedAnswer {
  let text = "";
  const toolUses: ToolUse[] = [];
  for (const part of content) {
    if (part.type === "text") text += String(part.text);
    else if (isOwnCall(part)) toolUses.push(readCall(part));
  }
  return { text, toolUses, usage: readUsage(usage) };
}

function isOwnCall({ type, providerExecuted }: Part): boolean {
  return type === "tool-call" && providerExecuted !== true;
}

function readCall({ toolCallId, toolName, input }: Part): ToolUse {
  return { id: String(toolCallId), name: String(toolName), input: parseInput(input) };
}

function readUsage(usage: unknown): Usage | undefined {
  const { inputTokens, outputTokens } = Object(usage) as Record<string, unknown>;
  const input = readCount(inputTokens);
  const output = readCount(outputTokens);
  return input === undefined || output === undefined
    ? undefined
    : { inputTokens: input, outputTokens: output };
}

/** A number in the second version of models, an object later. */
function readCount(tokens: unknown): number | undefined {
  const count = isRecord(tokens) ? tokens.total : tokens;
  return typeof count === "number" && Number.isSafeInteger(count) ? count : undefined;
}

function changeAnswer(result: GenerateResult, { text, toolUses }: AnswerChanges): GenerateResult {
  const { content, finishReason } = result;
  const kept = content.filter((part) => {
    // Reasoning repeats the text, so it is removed when the text was changed.
    if (part.type === "text" || part.type === "reasoning") return text === undefined;
    return !isOwnCall(part);
  });
  const texts: Part[] = text === undefined || text === "" ? [] : [{ type: "text", text }];
  if (toolUses === undefined)
    return { ...result, content: [...kept, ...texts, ...content.filter(isOwnCall)] };
  const calls = toolUses.map((use) => writeCall(content, use));
  return {
    ...result,
    content: [...kept, ...texts, ...calls],
    finishReason: writeReason(typeof finishReason === "string", calls.length > 0),
  };
}

/** The provider's own part for a call that hooks did not change. */
function writeCall(content: readonly Part[], use: ToolUse): Part {
  const own = content.find(
    (part) => isOwnCall(part) && part.toolCallId === use.id && part.toolName === use.name,
  );
  const input = JSON.stringify(use.input);
  if (own !== undefined && JSON.stringify(parseInput(own.input)) === input) return own;
  return { type: "tool-call", toolCallId: use.id, toolName: use.name, input };
}

function writeReason(isOld: boolean, hasCalls: boolean): GenerateResult["finishReason"] {
  const unified = hasCalls ? "tool-calls" : "stop";
  return isOld ? unified : { unified, raw: unified };
}

/** A result in the form of the model's specification. */
function createResult({ specificationVersion }: Model, { text, toolUses }: HookedAnswer): GenerateResult {
  const texts: Part[] = text === "" ? [] : [{ type: "text", text }];
  const isOld = specificationVersion === "v2";
  const count = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  return {
    content: [...texts, ...toolUses.map((use) => writeCall([], use))],
    finishReason: writeReason(isOld, toolUses.length > 0),
    usage: isOld
      ? { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
      : { inputTokens: count, outputTokens: { total: 0, text: undefined, reasoning: undefined } },
    warnings: [],
  };
}

/** Hooks may write the content of a message as a text; providers expect parts, except of the system's messages. */
function toPromptMessage(message: PromptMessage): PromptMessage {
  const { role, content } = message;
  if (role === "system" || typeof content !== "string") return message;
  return { ...message, content: [{ type: "text", text: content }] };
}
