import { randomUUID } from "node:crypto";
import type { Hooks } from "@tenterhook/engine";
import { type Delegation, findParent, type HostRun, startRun } from "@tenterhook/engine/host";
import type { AdapterOptions } from "./adapter-options.ts";
import type { SupportCheck } from "./check-support.ts";
import type { AdapterSupport } from "./support.ts";

/** What a run inside a framework is started with, besides its hooks. */
export interface FrameworkRun {
  readonly support: AdapterSupport;
  readonly options?: AdapterOptions | undefined;
  /** The agent's name in its framework. */
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
  /** Refuses the run when hooks have come that the framework would not call. */
  readonly check?: SupportCheck | undefined;
}

/** Starts a run inside a framework, by the options of the program. */
export function startFrameworkRun(hooks: Hooks, start: FrameworkRun): HostRun {
  const { support, options = {}, agentName, signal, task, maxSteps, check } = start;
  const { userId, workDir, approve, maxHolds, maxRefusals } = options;
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
    refusal: () => check?.findRefusal(),
    ...{ support, signal, parent, delegation, maxSteps, userId, workDir, approve, maxHolds, maxRefusals },
  });
}
