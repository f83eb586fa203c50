import type { CataloguedHook } from "@tenterhook/file-hooks";
import { findLocations } from "@tenterhook/file-hooks";
import { type EventName, eventRow } from "@tenterhook/protocol";
import { locateCall } from "../locate-call.ts";
import { logDecision } from "../log/decision-log.ts";
import { lower, type NativeAnswer } from "../lower/lower.ts";
import type { BridgeCall } from "../open-call.ts";
import type { Client } from "../shape/client.ts";
import type { NativeEvent } from "../shape/events.ts";
import { readGuards } from "./guards.ts";
import { HookSet, isInForce, mustBlock } from "./hook-set.ts";
import type { Verdict } from "./verdict.ts";

export interface Breakage {
  readonly why: string;
  /** What the call holds is not known. No hook failed, so no `on_error` may let it through unseen. */
  readonly isUnreadable: boolean;
}

/** Named where the list of guards is gone too. */
const UNKNOWN_GUARDS = "guards that may be there";

/** Answers a call that could not be judged. It never throws. */
export async function answerBroken(
  call: BridgeCall,
  client: Client,
  found: { readonly name: string; readonly event: NativeEvent } | undefined,
  { why, isUnreadable }: Breakage,
): Promise<NativeAnswer> {
  const event = found?.event.events[0];
  const message: NativeAnswer = { stdout: "", stderr: `tenterhook: ${why}\n`, exit: 0 };
  if (found === undefined || event === undefined) return message;
  const { verdict, isConcerned } = await fallback(
    call,
    client,
    event,
    isUnreadable,
    `${why} (${client.name}, ${found.name})`,
  );
  const { answer, told: how } = lower({ client, eventName: found.name, native: found.event, event }, verdict);
  if (isConcerned) {
    const { reason = why } = verdict as { readonly reason?: string };
    const action = verdict.type === "proceed" ? "go_on" : "refuse";
    logDecision(findLocations(call.cwd, call.env).state, {
      time: new Date().toISOString(),
      event,
      client: client.id,
      native_event: found.name,
      outcome: verdict.type,
      action,
      reason,
      told: how,
      duration_ms: Math.round(process.uptime() * 1_000),
      entries: [],
    });
  }
  return verdict.type === "proceed" && isConcerned && answer.stdout === "" ? message : answer;
}

async function fallback(
  call: BridgeCall,
  client: Client,
  event: EventName,
  isUnreadable: boolean,
  why: string,
) {
  try {
    // The payload would name the session; the environment may do so too.
    const { session } = client.environment;
    const sessionId = session === undefined ? "" : (call.env[session] ?? "");
    const { folders } = locateCall(call, { client, sessionId, cwd: call.cwd });
    const set = new HookSet({ folders, env: call.env, mode: "sync", say: () => undefined });
    const active = await set.active(event);
    const guards = active.filter(isUnreadable ? isInForce : mustBlock);
    return { verdict: onErrorVerdict(event, guards.map(nameOf), why), isConcerned: active.length > 0 };
  } catch {
    // Not even the hooks can be read: what was known of them last decides.
    const { state, project } = findLocations(call.cwd, call.env);
    const guards = readGuards(state)
      ?.filter((guard) => guard.event === event && (guard.project === "*" || guard.project === project))
      .map(({ name }) => name);
    return { verdict: onErrorVerdict(event, guards ?? [UNKNOWN_GUARDS], why), isConcerned: true };
  }
}

/** What cannot be judged is decided by the hooks that would have judged it: those that must not be passed over block. */
export function onErrorVerdict(event: EventName, guards: readonly string[], why: string): Verdict {
  const note = `this was not judged: ${why}`;
  if (guards.length === 0 || eventRow(event).failure.action !== "refuse")
    return { type: "proceed", context: [], notes: [note] };
  const names = guards.join(", ");
  return {
    type: "block",
    reason: `${note}; ${names} must not be passed over`,
    by: names,
    context: [],
    notes: [],
  };
}

function nameOf({ hook }: CataloguedHook): string {
  return hook.name;
}
