import { typedCommand } from "@tenterhook/internal";
import type { HookFile } from "@tenterhook/protocol";
import type { Client } from "../definition/client.ts";
import { deliveringEvents, type Enforcement } from "./enforcement.ts";

/** What to do about a hook that a client enforces partly or not at all, as a sentence. */
export function adviseEnforcement(client: Client, hook: HookFile, { why }: Enforcement): string {
  if (hook.enforce === false) return `Run: ${typedCommand()} enforce ${hook.name}`;
  const limits = `${typedCommand()} clients ${client.id} shows what ${client.name} can do.`;
  const missing = hook.events.filter((event) => deliveringEvents(client, event).length === 0);
  if (missing.length > 0)
    return `Use an event that ${client.name} has in place of ${missing.join(", ")}: ${limits}`;
  if (why.some((reason) => reason.includes(" has no tool ")))
    return "Add Shell to matcher.tool, and let the script check the command.";
  if (why.some((reason) => reason.startsWith("matchers see "))) return "Change matcher.tool in its HOOK.md.";
  const events = new Set<string>(hook.events);
  if (events.has("before_stop") || events.has("subagent_stop"))
    return `Check the work once more after the run, for example in CI. ${limits}`;
  if (events.has("session_start") || events.has("before_agent"))
    return `Guard what must not happen at before_tool as well. ${limits}`;
  if (events.has("after_tool"))
    return "If the result must not reach the model, refuse the call at before_tool instead.";
  if (why.some((reason) => reason.includes("can_approve")))
    return "Let the script refuse, or write metadata.can_approve: true if its change may count as an approval.";
  if (why.some((reason) => reason.includes("what is typed into a program")))
    return "The hook needs no change: the agent is told to run commands from a script or with their input from a file.";
  return limits;
}
