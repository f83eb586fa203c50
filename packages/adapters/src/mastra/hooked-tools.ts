import { hasWrappers } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import {
  type AdapterOptions,
  asParent,
  callTool,
  type ToolOutcome,
  warnOnce,
  writableCopy,
} from "../core/index.ts";
import { hookApproval } from "./approval.ts";
import type { RequestContext, Tool, ToolContext, Tools } from "./config.ts";
import type { MastraRun } from "./mastra-run.ts";
import type { Runs } from "./runs.ts";
import { settle } from "./tool-hooks.ts";
import { validateInput } from "./validate-input.ts";

/** The tools of an agent, whose calls go through the hooks. */
export function hookTools(
  tools: Tools | undefined,
  requestContext: RequestContext,
  runs: Runs,
  options: AdapterOptions,
): Tools {
  const { warn = warnOnce } = options;
  const hooked = Object.entries(tools ?? {}).map(([name, tool]) => {
    if (typeof tool.execute === "function")
      return [name, hookTool(formatToolName(name), tool, requestContext, runs, options)] as const;
    warn(`The tool "${name}" is not executed by Mastra: hooks are not called about it.`);
    return [name, tool] as const;
  });
  return Object.fromEntries(hooked);
}

/** The name under which Mastra offers a tool: that of the configuration, unless a provider would refuse it. */
export function formatToolName(name: string): string {
  const written = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  return (/^[a-zA-Z_]/.test(written) ? written : `_${written}`).slice(0, 63);
}

function hookTool(
  name: string,
  tool: Tool,
  requestContext: RequestContext,
  runs: Runs,
  options: AdapterOptions,
): Tool {
  const approval = hookApproval(name, tool, requestContext, runs, options);
  const execute = async (input: unknown, context: ToolContext): Promise<unknown> => {
    const toolUseId = context.agent?.toolCallId ?? context.toolCallId ?? "";
    const use = { id: toolUseId, name, input: isRecord(input) ? input : {} };
    const isResumed = (context.agent?.resumeData ?? context.resumeData) !== undefined;
    const run = await runs.findStarted(context.requestContext ?? requestContext, use, isResumed);
    return run.during(async () => {
      const started = run.started.get(toolUseId);
      if (started === undefined) return callDirectly(run, name, tool, input, toolUseId, context);
      // Mastra's schema has parsed it, and the tool may write to it.
      const parsed = hasWrappers(run.run.hooks, "around_tool") ? writableCopy(input) : input;
      let result: ToolOutcome;
      const execute = async (given: unknown): Promise<ToolOutcome> => {
        try {
          const value = asParent(run.run, () =>
            tool.execute?.(given, { ...context, abortSignal: run.run.signal.signal }),
          );
          return { value: await value };
        } catch (error) {
          return { error };
        }
      };
      result = await execute(input);
      const executeAgain = async () => {
        result = await execute(writableCopy(parsed));
        if ("error" in result) throw result.error;
        return result.value;
      };
      // What the tool was resumed with is for one execution.
      const end = await settle(started, result, isResumed ? undefined : executeAgain);
      if (end !== undefined) {
        return run.readEnd(toolUseId, end);
      }
      // It is suspended: Mastra ignores the value, and reads the error.
      if ("error" in result) throw result.error;
      return result.value;
    });
  };
  const changes = { execute, requireApproval: approval, needsApprovalFn: approval };
  const isVercelTool = "needsApproval" in tool;
  // The same class: Mastra asks what kind of tool it is.
  return Object.assign(Object.create(Object.getPrototypeOf(tool) as object), tool, changes, {
    ...(isVercelTool && { needsApproval: approval }),
  }) as Tool;
}

/** A call whose `beforeToolCall` was replaced by one of the call's options: all hooks are called here. */
async function callDirectly(
  run: MastraRun,
  toolName: string,
  tool: Tool,
  toolInput: unknown,
  toolUseId: string,
  context: ToolContext,
): Promise<unknown> {
  run.guarded.add(toolUseId);
  run.run.follow(context.abortSignal);
  const isApproved = run.waiting.delete(toolUseId);
  const end = await callTool(
    run.run,
    { toolName, toolInput, toolUseId },
    {
      validate: validateInput(tool),
      ...(isApproved && { decision: { type: "approve" } }),
      execute: (input) =>
        asParent(run.run, () => tool.execute?.(input, { ...context, abortSignal: run.run.signal.signal })),
    },
  );
  return run.readEnd(toolUseId, end);
}
