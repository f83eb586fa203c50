import type { EventName } from "@tenterhook/protocol";
import { GATE, GATE_SCHEMA, GATE_TOOL } from "../ai-sdk/gate.ts";
import {
  type AdapterOptions,
  type HookSource,
  hasHooksAlready,
  listInstalled,
  noteHooks,
  readHooks,
  SupportCheck,
} from "../core/index.ts";
import { callPolicy } from "./call-policy.ts";
import type { CallOptions, Config, ConfigArgs, ConfigLike, FinishEvent } from "./config.ts";
import { Delegations } from "./delegation.ts";
import { hookModel } from "./hooked-model.ts";
import { formatToolName, hookTools } from "./hooked-tools.ts";
import { createPromptProcessor } from "./prompt-processor.ts";
import { Runs } from "./runs.ts";
import { MASTRA_SUPPORT } from "./support.ts";
import { hookToolHooks } from "./tool-hooks.ts";

/**
 * The configuration of a Mastra agent with hooks: `new Agent(withHooks({ … }, hooks))`. Throws for a hook that Mastra cannot enforce.
 * A subagent needs hooks in its own configuration. A configuration that has these hooks already is returned as it is.
 */
export function withHooks<C extends ConfigLike>(
  config: C,
  source: HookSource,
  options: AdapterOptions = {},
): C {
  const hooks = readHooks(source);
  if (hasHooksAlready(config, hooks)) return config;
  // A processor and one more tool are the parts with a cost, so they are left out where no hook needs them.
  const separate: readonly (readonly EventName[])[] = [["before_agent"], ["before_stop", "subagent_stop"]];
  const installed = listInstalled(hooks, MASTRA_SUPPORT, options, separate);
  const hasProcessor = installed.has("before_agent");
  const hasGate = installed.has("before_stop");
  const check = new SupportCheck(hooks, MASTRA_SUPPORT, installed, options);
  const own = config as unknown as Config;
  const { id, name = id } = own;
  const ownTools = new Set<string>([GATE]);
  const runs = new Runs({ hooks, options, check, agentName: name, maxRetries: readRetries(own), ownTools });
  const delegations = new Delegations(runs);
  const changes: Config = {
    model: (args: ConfigArgs) => hookModel(own.model, args, runs),
    tools: async (args) => {
      const tools = typeof own.tools === "function" ? await own.tools(args) : own.tools;
      for (const toolName of Object.keys(tools ?? {})) ownTools.add(formatToolName(toolName));
      return {
        ...hookTools(tools, args.requestContext, runs, options),
        ...(hasGate && { [GATE]: { ...GATE_TOOL, inputSchema: GATE_SCHEMA } }),
      };
    },
    hooks: hookToolHooks(own.hooks, runs, delegations),
    defaultOptions: addOptions(own.defaultOptions, (each) => ({
      ...each,
      onFinish: hookFinish(each.onFinish, runs),
      delegation: delegations.hook(each.delegation),
      requireToolApproval: callPolicy(each.requireToolApproval ?? false),
      // They replace those of the agent.
      ...(each.hooks !== undefined && {
        hooks: hookToolHooks({ ...own.hooks, ...each.hooks }, runs, delegations),
      }),
    })),
    ...(hasProcessor && { inputProcessors: addProcessor(own.inputProcessors, createPromptProcessor(runs)) }),
  };
  return noteHooks({ ...config, ...changes }, config, hooks);
}

function readRetries({ maxRetries, defaultOptions }: Config): number {
  const { modelSettings } = typeof defaultOptions === "function" ? {} : (defaultOptions ?? {});
  return modelSettings?.maxRetries ?? maxRetries ?? 0;
}

function addOptions(
  own: Config["defaultOptions"],
  add: (options: CallOptions) => CallOptions,
): NonNullable<Config["defaultOptions"]> {
  return typeof own === "function" ? async (args) => add(await own(args)) : add(own ?? {});
}

/** Ours is the last one: it sees the message that the others have made. */
function addProcessor(
  own: Config["inputProcessors"],
  processor: unknown,
): NonNullable<Config["inputProcessors"]> {
  if (typeof own !== "function") return [...(own ?? []), processor];
  return async (args) => [...((await own(args)) as readonly unknown[]), processor];
}

/** Ends the run whose steps ran out. It does not throw: a stream of Mastra would never end. */
function hookFinish(own: CallOptions["onFinish"], runs: Runs): NonNullable<CallOptions["onFinish"]> {
  return async (event: FinishEvent) => {
    const last = event.steps?.at(-1);
    const [call] = last?.toolCalls ?? [];
    const toolUseId = call?.toolCallId ?? call?.payload?.toolCallId;
    if (toolUseId !== undefined && event.finishReason !== "suspended")
      await runs
        .findByCall(toolUseId)
        ?.endAtLimit(last?.text ?? "")
        .catch(() => undefined);
    return own?.(event);
  };
}
