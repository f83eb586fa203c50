import { randomUUID } from "node:crypto";
import { type Delegation, findParent, type HostRun, startRun } from "@tenterhook/engine/host";
import type { AgentHooks } from "./check-support.ts";

/** What a run inside a framework is started with. */
export interface FrameworkRun {
  /** The agent's name in its framework; the option wins. */
  readonly agentName?: string | undefined;
  /** The framework's own id of the conversation, where it has one; the option wins. */
  readonly sessionId?: string | undefined;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The run that this one is nested in. Default: the one in whose tool it begins. */
  readonly parent?: HostRun | undefined;
  readonly delegation?: Delegation | undefined;
  /** The task, where a run that is nested in another one is a subagent's and nothing else tells that: it has a delegation then. */
  readonly task?: string | undefined;
  /** The limit of steps, where the framework has one. */
  readonly maxSteps?: number | undefined;
}

/** Starts a run inside a framework, by the options of the program. */
export function startFrameworkRun(
  { hooks, support, options, findRefusal }: AgentHooks,
  start: FrameworkRun,
): HostRun {
  const { agentName, signal, task, maxSteps } = start;
  const { userId, workDir, approve, effectsOf, maxHolds, maxRefusals } = options;
  const parent = "parent" in start ? start.parent : findParent();
  const ownName = options.agent?.name ?? agentName;
  const delegation =
    parent === undefined || task === undefined
      ? start.delegation
      : { subagentName: ownName ?? "subagent", subagentId: randomUUID(), taskDescription: task };
  const name = ownName ?? delegation?.subagentName ?? support.name;
  return startRun(hooks, {
    agent: { id: name, ...options.agent, name },
    sessionId: options.sessionId ?? start.sessionId,
    refusal: () => findRefusal?.(),
    ...{ support, signal, parent, delegation, maxSteps, userId, workDir, approve, effectsOf },
    ...{ maxHolds, maxRefusals },
  });
}
