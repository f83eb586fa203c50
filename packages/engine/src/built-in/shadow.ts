import type { EventName } from "@tenterhook/protocol";
import { ShadowAnswer, type ShadowReport, shadows } from "../answer/shadow-answer.ts";
import type { Handler } from "../register/hook.ts";
import { Rejection } from "../run/hook-call.ts";

export type { ShadowReport };

/** What happens with the answers of a hook that only runs on trial. */
export interface ShadowOptions<E extends EventName = EventName> {
  /** Called when the hook would have done something. It may throw; that becomes a warning. */
  readonly report: (report: ShadowReport<E>) => void;
}

/** A hook that is not enforced, as with `enforce: false`: what it would have done is recorded, and given to `report`. */
export function shadow<E extends EventName>(handler: Handler<E>, { report }: ShadowOptions<E>): Handler<E> {
  const name = handler.name || undefined;
  const shadowed = async (context: Parameters<Handler<E>>[0]): Promise<unknown> => {
    let result: unknown;
    try {
      result = await handler(context);
    } catch (error) {
      result = new Rejection(error);
    }
    return result === undefined ? undefined : new ShadowAnswer(result, name, report as never);
  };
  shadows.add(shadowed);
  // Traces name a hook after its function.
  Object.defineProperty(shadowed, "name", { value: name === undefined ? "shadow" : `shadow(${name})` });
  // The engine reads what it returns.
  return shadowed as Handler<E>;
}
