import { type CataloguedHook, findLocations } from "@tenterhook/file-hooks";
import { readGuards } from "@tenterhook/file-hooks/discover";
import type { EventName } from "@tenterhook/protocol";
import type { BridgeSession } from "../../session/bridge-session.ts";
import { concerns } from "../match/guards.ts";
import { HookSet, isInForce, mustBlock } from "../match/hook-set.ts";
import type { Caller } from "../read/find-caller.ts";
import { locateCall } from "../read/locate-call.ts";
import type { BridgeCall } from "../read/open-call.ts";
import type { CallVerdict } from "./call-verdict.ts";
import { onErrorVerdict } from "./on-error-verdict.ts";

export interface Failure {
  readonly why: string;
  /** The call could not be read. No hook failed, so no `on_error` may let it pass. */
  readonly isUnreadable: boolean;
}

/** The verdict about a call that no hook could be asked about. */
export interface BrokenVerdict {
  readonly verdict: CallVerdict;
  readonly hasHooks: boolean;
  readonly session?: BridgeSession;
}

/** The name in the reason when the list of guards is missing too. */
const UNKNOWN_GUARDS = "guards that may be there";

/** Decides about a call that could not be checked, by the `on_error` of the hooks of its event. It never throws. */
export async function decideBroken(
  call: BridgeCall,
  { client, sessionId, cwd }: Caller,
  event: EventName,
  { why, isUnreadable }: Failure,
): Promise<BrokenVerdict> {
  try {
    const { folders, session } = locateCall(call, { client, sessionId, cwd });
    const set = new HookSet({ folders, env: call.env, mode: "sync", report: () => undefined });
    const active = await set.active(event);
    const guards = active.filter(isUnreadable ? isInForce : mustBlock);
    const verdict = onErrorVerdict(event, guards.map(readName), why);
    return { verdict, hasHooks: active.length > 0, session };
  } catch {
    // The hooks cannot be read either: the guards that were known last decide.
    const { state } = findLocations(call.cwd, call.env);
    const guards = readGuards(state)
      ?.filter((guard) => guard.event === event)
      .filter(({ project }) => [cwd, call.cwd].some((folder) => concerns(project, folder)))
      .map(({ name }) => name);
    return { verdict: onErrorVerdict(event, guards ?? [UNKNOWN_GUARDS], why), hasHooks: true };
  }
}

function readName({ hook }: CataloguedHook): string {
  return hook.name;
}
