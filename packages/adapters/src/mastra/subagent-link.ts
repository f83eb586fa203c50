import type { Hooks } from "@tenterhook/engine";
import type { Delegation, HostRun } from "../core/index.ts";
import type { RequestContext } from "./config.ts";

/** The delegation that a subagent's run belongs to. */
export interface Link {
  readonly run: HostRun;
  readonly delegation: Delegation;
  /** Whether the subagent has the same hooks, so that it fires `subagent_stop` itself. */
  hasSameHooks: boolean;
}

/** The delegations, by the request context of the subagent's run. Subagents may be of other configurations. */
const links = new WeakMap<RequestContext, Link>();

export function findLink(requestContext: RequestContext, hooks: Hooks): Link | undefined {
  const link = links.get(requestContext);
  if (link !== undefined && link.run.hooks === hooks) link.hasSameHooks = true;
  return link;
}

/** Notes that a run with this request context belongs to a delegation. */
export function linkRun(requestContext: RequestContext, link: Link): void {
  links.set(requestContext, link);
}
