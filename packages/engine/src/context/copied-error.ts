import { isInstanceOf, readField } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import { type Context, newContext, runContextOf } from "./hook-context.ts";

/**
 * The context for a hook that is not enforced. Hosts freeze what they dispatch, but for errors, which the other hooks get as they are: this
 * one gets a copy, as hooks in the background do.
 */
export function withCopiedError<E extends EventName>(context: Context<E>): Context<E> {
  const { event, payload } = context;
  const error = readField(payload, "error");
  if (!isInstanceOf(error, Error)) return context;
  const copied = Object.freeze({ ...(payload as object), error: snapshot(error) });
  return newContext(event as E, copied, runContextOf(context));
}
