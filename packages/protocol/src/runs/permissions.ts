import { SCOPES, type Scope } from "./scopes.ts";

/**
 * What each scope may do. Deciding is not a client's: an agent that has a client's token would approve itself. Nor is
 * defining: a blueprint names a command that runners start.
 */
export const PERMISSIONS = {
  /** Read runs, sessions, agents, hooks, runners, events and metrics. */
  read: ["admin", "client", "viewer"],
  /** Read approvals, the runs that have one, and the events about approvals. */
  review: ["admin", "client", "reviewer", "viewer"],
  /** Start, stop, retry and resume runs, and try hooks. */
  run: ["admin", "client"],
  /** Execute runs, as a runner does. */
  execute: ["admin", "runner"],
  /** Settle approvals. */
  decide: ["admin", "reviewer"],
  /** Save and delete agents and named hooks. */
  define: ["admin"],
  /** Delete sessions, drain runners, make and revoke tokens, see and change the key that signs webhooks. */
  administer: ["admin"],
  /** Read one's own name and scope, sign in and sign out. */
  identify: SCOPES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type Permission = keyof typeof PERMISSIONS;

export function mayDo(scope: Scope, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Scope[]).includes(scope);
}
