/**
 * What a hook may answer. An outcome is a value: a refusal is one too, and only a defect is an error.
 * Returning nothing means `proceed()`. Proceeding means "no objection", never "approved".
 */
export type OutcomeType = "proceed" | "block" | "stop" | "skip" | "ask" | "recover";

export const OUTCOME_TYPES = [
  "proceed",
  "block",
  "stop",
  "skip",
  "ask",
  "recover",
] as const satisfies readonly OutcomeType[];

declare const field: unique symbol;

/** Matches no value. It stands beside the type of a field, because the compiler prints it: `string | PatchField<"model">`. */
interface PatchField<Name> {
  readonly [field]: Name;
}

/** A patch as an argument: an error about a field names it. */
export type PatchArgument<P> = P extends object
  ? {
      readonly [F in keyof P]: P[F] extends `${string} cannot be changed here` | undefined
        ? P[F]
        : P[F] | PatchField<F>;
    }
  : P;

/** The patch that the caller expects, where that is known: then an error is about the wrong field, not about the outcome around it. */
type Expected<E, P> = [E] extends [never] ? P : PatchArgument<E>;

/** No objection; optionally changes fields that the event's row lists, or adds context for the model. */
export interface Proceed<P extends object = object> {
  readonly type: "proceed";
  readonly patch?: P | undefined;
  readonly context?: string | undefined;
}

/** Refuses this one action; what that means depends on the event. */
export interface Block {
  readonly type: "block";
  readonly reason: string;
}

/** Ends the whole run. */
export interface Stop {
  readonly type: "stop";
  readonly reason: string;
}

/** The operation is not carried out, the result given here takes its place. */
export interface Skip<R = unknown> {
  readonly type: "skip";
  readonly result?: R | undefined;
}

/** Who may not decide what a hook asks: the person who started the run. */
export const NOT_BY = "requester";
export type NotBy = typeof NOT_BY;

/** A person must decide. Without an approver it blocks, with that in the reason. */
export interface Ask {
  readonly type: "ask";
  readonly reason: string;
  /** Who may not decide. Where the host cannot tell who decides, it blocks, with that in the reason. */
  readonly notBy?: NotBy | undefined;
}

/** The error is handled; the result given here, if any, replaces it. */
export interface Recover<R = unknown> {
  readonly type: "recover";
  readonly result?: R | undefined;
}

/** A hook's answer. */
export type Outcome = Proceed | Block | Stop | Skip | Ask | Recover;

/** A `proceed` that adds no context: allowed on every event. */
export interface QuietProceed<P extends object = object> extends Proceed<P> {
  readonly context?: undefined;
}

const PROCEED: QuietProceed = Object.freeze({ type: "proceed" });

/** No objection; optionally with changes of the event's fields, and with context for the model where the event has room for it. */
export function proceed(): QuietProceed<never>;
export function proceed<P extends object, E extends object = never>(
  patch: Expected<NoInfer<E>, P>,
): [E] extends [never] ? QuietProceed<P> : E extends object ? QuietProceed<E> : never;
export function proceed<P extends object, E extends object = never>(
  patch: Expected<NoInfer<E>, P> | undefined,
  extra: { readonly context: string },
): [E] extends [never] ? Proceed<P> : E extends object ? Proceed<E> : never;
export function proceed(patch?: object, extra?: { readonly context?: string }): Proceed {
  if (patch === undefined && extra?.context === undefined) return PROCEED;
  return Object.freeze({
    type: "proceed",
    ...(patch !== undefined && { patch }),
    ...(extra?.context !== undefined && { context: extra.context }),
  });
}

/** Refuses what the event is about, with a reason that the model or a person reads. */
export function block(reason: string): Block {
  return Object.freeze({ type: "block", reason });
}

/** Ends the whole run, with a reason. */
export function stop(reason: string): Stop {
  return Object.freeze({ type: "stop", reason });
}

/** Answers in place of the operation, with a result. */
export function skip<R>(result?: R): Skip<R> {
  return Object.freeze(result === undefined ? { type: "skip" } : { type: "skip", result });
}

/** Lets a person decide. With `notBy`, not the person who started the run. */
export function ask(reason: string, { notBy }: { readonly notBy?: NotBy | undefined } = {}): Ask {
  return Object.freeze({ type: "ask", reason, ...(notBy !== undefined && { notBy }) });
}

/** Answers in place of an error, with a result. */
export function recover<R>(result?: R): Recover<R> {
  return Object.freeze(result === undefined ? { type: "recover" } : { type: "recover", result });
}

/** Whether an outcome is a refusal. */
export function isBlocked(outcome: Outcome): outcome is Block {
  return outcome.type === "block";
}

/** Whether an outcome ends the run. */
export function isStopped(outcome: Outcome): outcome is Stop {
  return outcome.type === "stop";
}

/** The reason an outcome carries for people and for the model, if it carries one. */
export function reasonOf(outcome: Outcome): string | undefined {
  return "reason" in outcome ? outcome.reason : undefined;
}
