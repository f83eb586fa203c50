import { orAborted } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import { type AgentMiddleware, createMiddleware } from "langchain";
import {
  type HookSource,
  type HostRun,
  listNeeded,
  listSupported,
  mayHaveAny,
  readHooks,
  SupportCheck,
} from "../core/index.ts";
import { AgentNodes } from "./agent-nodes.ts";
import { checkVersion } from "./check-version.ts";
import { callModelWithHooks } from "./model-call.ts";
import type { LangChainOptions } from "./options.ts";
import { AgentRuns, type Runtime } from "./runs.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";
import { callToolWithHooks } from "./tool-call.ts";

/**
 * The events that need a node of the graph. Each node is a step of LangGraph for every run, which takes as long as much of the rest of a
 * short run, so a node is only added when a hook needs it.
 */
const NODES = {
  beforeAgent: ["before_agent", "subagent_start"],
  beforeModel: ["before_step", "after_step"],
  afterAgent: ["before_stop", "after_agent", "after_step", "subagent_stop"],
} as const satisfies Record<string, readonly EventName[]>;

/**
 * Enforces a set of hooks in an agent of LangChain: `createAgent({ …, middleware: [hooksMiddleware(hooks)] })`. Put it first, so that it
 * is around all other middleware. Throws `unsupported_hook` for a hook that LangChain cannot carry.
 */
export function hooksMiddleware(source: HookSource, options: LangChainOptions = {}): AgentMiddleware {
  checkVersion(options);
  const hooks = readHooks(source);
  const needed = listNeeded(hooks, LANGCHAIN_SUPPORT, options);
  const isNeeded = (node: keyof typeof NODES) => NODES[node].some((event) => needed.has(event));
  const nodes = {
    before: isNeeded("beforeAgent"),
    step: isNeeded("beforeModel"),
    after: isNeeded("afterAgent"),
  };
  const installed = listSupported(LANGCHAIN_SUPPORT);
  const omit = (events: readonly EventName[]) => {
    for (const event of events) installed.delete(event);
  };
  if (!nodes.before) omit(NODES.beforeAgent);
  if (!nodes.step) omit(NODES.beforeModel);
  if (!nodes.after) omit(NODES.afterAgent);
  const runs = new AgentRuns(hooks, options, new SupportCheck(hooks, LANGCHAIN_SUPPORT, installed, options));
  const agent = new AgentNodes(runs, nodes);
  return createMiddleware({
    name: "tenterhook",
    wrapModelCall: (request, handler) =>
      agent.inStep(request.runtime as Runtime, request.messages, ({ run }) => {
        const call = endWithParent(run, handler as (request: unknown) => Promise<never>);
        return mayHaveAny(hooks) ? callModelWithHooks(run, options, request as never, call) : call(request);
      }) as never,
    wrapToolCall: (request, handler) =>
      agent.inTool(request.runtime as Runtime, request.state.messages, (agentRun) =>
        callToolWithHooks(agentRun, request as never, handler as never),
      ) as never,
    ...(nodes.before && {
      beforeAgent: { canJumpTo: ["end"], hook: (state, runtime) => agent.begin(state, runtime as Runtime) },
    }),
    ...(nodes.step && {
      beforeModel: {
        canJumpTo: ["end"],
        hook: (state, runtime) => agent.beginStep(state, runtime as Runtime),
      },
    }),
    ...(nodes.after && {
      afterAgent: { canJumpTo: ["model"], hook: (state, runtime) => agent.end(state, runtime as Runtime) },
    }),
  }) as AgentMiddleware;
}

/** The model call of a nested run ends when the run around it is stopped: LangChain's own signal is only that of the caller. */
function endWithParent<Q, R>(run: HostRun, call: (request: Q) => Promise<R>): (request: Q) => Promise<R> {
  if (run.init.parent === undefined) return call;
  return (request) => orAborted(call(request), run.signal);
}
