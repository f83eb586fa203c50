import { isRecord } from "@tenterhook/internal";
import { GATE, GATE_SCHEMA, GATE_TOOL } from "../ai-sdk/gate.ts";
import { wrapModel } from "../ai-sdk/model.ts";
import type { CallParams } from "../ai-sdk/sdk-types.ts";
import {
  type AdapterOptions,
  checkSupport,
  type HookSource,
  hasHooksAlready,
  listInstalled,
  noteHooks,
  readHooks,
} from "../core/index.ts";
import { callPolicy } from "./approval.ts";
import type {
  CallOptions,
  Config,
  ConfigArgs,
  ConfigLike,
  FinishEvent,
  RequestContext,
  StoredMessage,
} from "./config.ts";
import { Delegations } from "./delegation.ts";
import type { MastraRun } from "./mastra-run.ts";
import { resolveModel } from "./resolve-model.ts";
import { Runs } from "./runs.ts";
import { MASTRA_SUPPORT } from "./support.ts";
import { formatToolName, hookToolHooks, hookTools } from "./tools.ts";

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
  const installed = listInstalled(hooks, MASTRA_SUPPORT, options, [
    ["before_agent"],
    ["before_stop", "subagent_stop"],
  ]);
  const hasProcessor = installed.has("before_agent");
  const hasGate = installed.has("before_stop");
  const agentHooks = checkSupport(hooks, MASTRA_SUPPORT, options, installed);
  const own = config as unknown as Config;
  const { id, name = id } = own;
  const ownTools = new Set<string>([GATE]);
  const runs = new Runs({ agentHooks, agentName: name, maxRetries: readRetries(own), ownTools });
  const delegations = new Delegations(runs);
  const changes: Config = {
    model: (args: ConfigArgs) => hookModel(own.model, args, runs),
    tools: async (args) => {
      const tools = typeof own.tools === "function" ? await own.tools(args) : own.tools;
      for (const toolName of Object.keys(tools ?? {})) ownTools.add(formatToolName(toolName));
      return {
        ...hookTools(tools, args.requestContext, runs, agentHooks),
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

/** The model of a configuration with the hooks, for one call of the agent. A list of models has one run. */
async function hookModel(model: unknown, args: ConfigArgs, runs: Runs): Promise<unknown> {
  const own: unknown = typeof model === "function" ? await model(args) : model;
  // Mastra asks for the model also where it is not called.
  let run: MastraRun | undefined;
  const claimRun = ({ prompt }: CallParams) => {
    run ??= runs.claim(args.requestContext, prompt);
    return run;
  };
  if (!Array.isArray(own)) return wrapModel(await resolveModel(own, args), claimRun);
  const entries: readonly unknown[] = own;
  return Promise.all(
    entries.map(async (entry, index) => {
      if (!isRecord(entry)) return entry;
      const each: unknown = typeof entry.model === "function" ? await entry.model(args) : entry.model;
      const maxRetries = typeof entry.maxRetries === "number" ? entry.maxRetries : undefined;
      const hasFallback = entries
        .slice(index + 1)
        .some((later) => isRecord(later) && later.enabled !== false);
      const getRun = (params: CallParams) => {
        const claimed = claimRun(params);
        claimed.useModel({ maxRetries, hasFallback });
        return claimed;
      };
      return { ...entry, model: wrapModel(await resolveModel(each, args), getRun) };
    }),
  );
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

/** What a processor is given before the first request of a run. */
interface InputArgs {
  readonly messages: readonly StoredMessage[];
  readonly requestContext?: RequestContext;
  /** Ends the run with a tripwire. */
  abort(reason: string): never;
}

/** The processor that fires `before_agent`: what it changes is also what the memory keeps. A refusal is a tripwire of Mastra. */
function createPromptProcessor(runs: Runs) {
  return {
    id: "tenterhook",
    name: "tenterhook",
    async processInput({ messages, requestContext, abort }: InputArgs): Promise<readonly StoredMessage[]> {
      const index = messages.findLastIndex(({ role }) => role === "user");
      const message = messages[index];
      const run = runs.open(requestContext);
      const text = message === undefined ? "" : readText(message);
      const changed = await run.beginWith(text).catch((error: Error) => abort(run.readRefusal(error)));
      if (message === undefined || changed === text) return messages;
      return messages.with(index, replaceText(message, changed));
    },
  };
}

function readText({ content }: StoredMessage): string {
  return (content.parts ?? []).flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])).join("\n");
}

/** The message with another text; parts that are not text stay. */
function replaceText(message: StoredMessage, text: string): StoredMessage {
  const { content } = message;
  const others = (content.parts ?? []).filter(({ type }) => type !== "text");
  const changed = { ...content, parts: [{ type: "text", text }, ...others] };
  return {
    ...message,
    content: typeof content.content === "string" ? { ...changed, content: text } : changed,
  };
}
