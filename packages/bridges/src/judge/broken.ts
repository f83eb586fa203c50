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

export interface Failure {
  readonly why: string;
  /** The call could not be read. No hook failed, so no `on_error` may let it pass. */
  readonly isUnreadable: boolean;
}

/** The name in the reason when the list of guards is missing too. */
const UNKNOWN_GUARDS = "guards that may be there";

/** Answers a call that could not be judged. It never throws. */
export async function answerBroken(
  call: BridgeCall,
  client: Client,
  found: { readonly name: string; readonly event: NativeEvent } | undefined,
  { why, isUnreadable }: Failure,
): Promise<NativeAnswer> {
  const event = found?.event.events[0];
  const message: NativeAnswer = { stdout: "", stderr: `tenterhook: ${why}\n`, exit: 0 };
  if (found === undefined || event === undefined) return message;
  const { verdict, hasHooks } = await fallback(
    call,
    client,
    event,
    isUnreadable,
    `${why} (${client.name}, ${found.name})`,
  );
  const { answer, kind } = lower({ client, eventName: found.name, native: found.event, event }, verdict);
  if (hasHooks) {
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
      told: kind,
      duration_ms: Math.round(process.uptime() * 1_000),
      entries: [],
    });
  }
  return verdict.type === "proceed" && hasHooks && answer.stdout === "" ? message : answer;
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
    const set = new HookSet({ folders, env: call.env, mode: "sync", report: () => undefined });
    const active = await set.active(event);
    const guards = active.filter(isUnreadable ? isInForce : mustBlock);
    return { verdict: onErrorVerdict(event, guards.map(nameOf), why), hasHooks: active.length > 0 };
  } catch {
    // The hooks cannot be read either: the guards that were known last decide.
    const { state, project } = findLocations(call.cwd, call.env);
    const guards = readGuards(state)
      ?.filter((guard) => guard.event === event && (guard.project === "*" || guard.project === project))
      .map(({ name }) => name);
    return { verdict: onErrorVerdict(event, guards ?? [UNKNOWN_GUARDS], why), hasHooks: true };
  }
}

/** The verdict about a call that could not be judged: the guards with `on_error: block` block it. */
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
