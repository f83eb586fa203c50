import { asParent, callTool, type ToolPort } from "@tenterhook/engine/host";
import { setField } from "@tenterhook/internal";
import { mayDecide } from "@tenterhook/protocol/internal";
import { asSchema } from "ai";
import { type Emit, relay } from "../core/index.ts";
import { askHooks, askTool, validateInput } from "./approval.ts";
import type { SdkRun } from "./sdk-run.ts";
import type { Tool, ToolOptions, Tools } from "./sdk-types.ts";

/** The run that a call belongs to. */
type GetRun = (options: ToolOptions) => SdkRun;

/** Takes the preliminary values of a tool. */
type Show = Emit<unknown>;

/** Tools whose calls go through the hooks. Tools without `execute` run elsewhere and stay as they are. */
export function wrapTools(tools: Tools = {}, getRun: GetRun): Record<string, Tool> {
  const wrapped: Record<string, Tool> = {};
  for (const [name, tool] of Object.entries(tools)) setField(wrapped, name, wrapTool(name, tool, getRun));
  return wrapped;
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
  const call = async (toolInput: unknown, options: ToolOptions, show?: Show): Promise<unknown> => {
    const sdkRun = getRun(options);
    const { run } = sdkRun;
    run.follow(options.abortSignal);
    if (!sdkRun.hasBegun) await sdkRun.begin();
    const { toolCallId: toolUseId } = options;
    const port: ToolPort = {
      validate: validateInput(tool),
      decision: sdkRun.answered.get(toolUseId)?.decision,
      execute: (input) => {
        // Also aborted when a hook stops the run. Few tools read it, and a short run notices the signal.
        const settings = {
          ...options,
          get abortSignal() {
            return run.signal.signal;
          },
        };
        return asParent(run, async () =>
          readLast(await execute.call(tool, input as never, settings as never), show),
        );
      },
    };
    const end = await sdkRun.during(() => callTool(run, { toolName, toolInput, toolUseId }, port));
    if (end.type === "stopped" && sdkRun.isBare && run.stopped?.by === "hook")
      sdkRun.warn(describeStop(toolName));
    sdkRun.releaseBare();
    return sdkRun.readEnd(toolUseId, end);
  };
  const isGenerator = Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
  // Not a spread: properties that follow one take longer than all the rest.
  return Object.assign({}, tool, {
    inputSchema: readSchema(tool.inputSchema),
    needsApproval: needsApproval as NonNullable<Tool["needsApproval"]>,
    execute: isGenerator
      ? (input: unknown, options: ToolOptions) =>
          showPreliminary(getRun(options), (show) => call(input, options, show))
      : (input: unknown, options: ToolOptions) => call(input, options),
  });
}

/** The schemas of the SDK for those of libraries, such as Zod. */
const schemas = new WeakMap<object, unknown>();

/** The SDK would convert the schema of a library again for every step, and hooks would get another definition of the tool. */
function readSchema(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || !("~standard" in schema)) return schema;
  const converted = schemas.get(schema) ?? asSchema(schema as never);
  schemas.set(schema, converted);
  return converted;
}

/** The preliminary values of a call and its result. They are shown unless a hook may still change or withhold the result. */
async function* showPreliminary(
  sdkRun: SdkRun,
  call: (show: Show | undefined) => Promise<unknown>,
): AsyncGenerator {
  const isShown = sdkRun.run.hooks.list("after_tool").every((hook) => !mayDecide(hook));
  yield yield* relay((emit: Show) => call(isShown ? emit : undefined));
}

/** The last value of a tool that yields preliminary ones. */
async function readLast(result: unknown, show: Show | undefined): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) {
    last = part;
    await show?.(part);
  }
  return last;
}

function describeStop(toolName: string): string {
  return `A hook stopped the run at the tool "${toolName}", and the AI SDK goes on: only withHooks can stop a run once a tool is executed.`;
}
