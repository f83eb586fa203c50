import { isThenable, messageOf, readable } from "@tenterhook/internal";
import type { EventName, Outcome } from "@tenterhook/protocol";
import { readAnswer } from "../answer/answer.ts";
import type { Context } from "../context/hook-context.ts";
import type { Answer, Handler } from "../register/hook.ts";

/** What a hook in the shadow would have done: its outcome, or how it failed. */
export type ShadowReport<E extends EventName = EventName> = {
  readonly event: E;
  /** The name of the handler, where it has one. */
  readonly hook?: string;
  /** True when it judged for the second time, because a later hook changed the value. */
  readonly judging: boolean;
} & (
  | { readonly outcome: Outcome; readonly error?: undefined }
  | { readonly error: unknown; readonly outcome?: undefined }
);

/** What happens with the answers of a hook that only runs on trial. */
export interface ShadowOptions<E extends EventName = EventName> {
  /** Called when the hook would have done something. It may throw; that becomes a warning. */
  readonly report: (report: ShadowReport<E>) => void;
}

/** A hook that is called and never acts: what it would have done is reported, and the action proceeds. */
export function shadow<E extends EventName>(handler: Handler<E>, { report }: ShadowOptions<E>): Handler<E> {
  const name = handler.name || undefined;
  const emit = ({ event, judging }: Context<E>, what: { outcome: Outcome } | { error: unknown }): void => {
    safely(() => report({ event: event as E, ...(name !== undefined && { hook: name }), judging, ...what }));
  };
  const readResult = (context: Context<E>, answer: Answer<E>): void => {
    try {
      const outcome = readAnswer(context.event, name ?? "shadow", answer);
      if (doesSomething(outcome)) emit(context, { outcome });
    } catch (error) {
      emit(context, { error: readable(error) });
    }
  };
  const watched: Handler<E> = (context) => {
    let answer: ReturnType<Handler<E>>;
    try {
      answer = handler(context);
    } catch (error) {
      emit(context, { error: readable(error) });
      return undefined;
    }
    if (!isThenable(answer)) {
      readResult(context, answer);
      return undefined;
    }
    return Promise.resolve(answer).then(
      (settled) => readResult(context, settled),
      (error: unknown) => emit(context, { error: readable(error) }),
    );
  };
  // Traces name a hook after its function.
  return Object.defineProperty(watched, "name", { value: name === undefined ? "shadow" : `shadow(${name})` });
}

function doesSomething(outcome: Outcome): boolean {
  if (outcome.type !== "proceed") return true;
  return outcome.context !== undefined || Object.keys(outcome.patch ?? {}).length > 0;
}

function safely(report: () => unknown): void {
  const failed = (error: unknown): void => {
    process.emitWarning(`shadow: its report failed: ${messageOf(error)}`, "TenterhookWarning");
  };
  try {
    const answer = report();
    // A report may be async all the same, and its rejection must not end the process.
    if (isThenable(answer)) Promise.resolve(answer).catch(failed);
  } catch (error) {
    failed(error);
  }
}
