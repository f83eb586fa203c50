import { readable } from "@tenterhook/internal";
import { type EventName, type Immutable, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { FieldChange } from "../answer/answer.ts";
import { textOf, whose } from "../answer/failure.ts";
import { type Context, EventContext } from "../context/hook-context.ts";
import type { HookRunContext } from "../context/hook-run-context.ts";
import { newContext } from "../context/new-context.ts";
import { matchAnyName } from "../match/any-name.ts";
import type { Match } from "../match/match.ts";
import { PatternBudget } from "../match/pattern-budget.ts";
import { MatchSubject } from "../match/subject.ts";
import type { PlannedHook } from "../plan/plan.ts";

/** The payload of a dispatch as its hooks have changed it so far, and the context that the next hook is given. */
export class DispatchValue<E extends EventName> {
  readonly original: Immutable<Payload<E>>;
  payload: Immutable<Payload<E>>;
  context: Context<E>;
  /** Hooks before this index have judged a value that has changed since. */
  judgeAgainBefore = 0;
  readonly #event: E;
  #subject: MatchSubject | undefined;
  #budget: PatternBudget | undefined;

  constructor(event: E, context: Context<E>) {
    this.#event = event;
    this.original = context.payload as Immutable<Payload<E>>;
    this.payload = this.original;
    this.context = context;
  }

  get isChanged(): boolean {
    return this.payload !== this.original;
  }

  get fields(): Readonly<Record<string, unknown>> {
    return this.payload as Readonly<Record<string, unknown>>;
  }

  /** What the hooks share at the moment. */
  get runContext(): HookRunContext {
    return EventContext.runContextOf(this.context);
  }

  /** Whether a planned hook is called for the value as it is now; a predicate that throws is the hook's failure. */
  matches({ hook, matcher }: PlannedHook): Match | TenterhookError {
    if (matcher === undefined) return "yes";
    this.#subject ??= new MatchSubject(this.#event, this.payload, this.context);
    this.#budget ??= new PatternBudget();
    try {
      const match = matchAnyName(matcher, this.#subject, this.#budget);
      // A matcher of a user may return anything; one that does not say no counts as undecided.
      return match === "yes" || match === "no" ? match : "unknown";
    } catch (error) {
      const message = `its matcher threw: ${textOf(error)}.`;
      const cause = readable(error);
      return new TenterhookError("matcher_threw", message, { ...whose(hook.descriptor), cause });
    }
  }

  /** The payload with changes, which `replace` makes the current one. */
  with(changes: readonly FieldChange[]): Immutable<Payload<E>> {
    const fields = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
    const changed = { ...this.payload, ...fields };
    Object.freeze(changed);
    return changed;
  }

  /** Hooks before this index have judged another value; the hook at it has not, nor have the hooks behind it. */
  replace(payload: Immutable<Payload<E>>, at: number): void {
    this.payload = payload;
    this.judgeAgainBefore = Math.max(this.judgeAgainBefore, at);
    this.renewContext(this.runContext);
  }

  renewContext(runContext: HookRunContext): void {
    this.#subject = undefined;
    this.context = newContext(this.#event, this.payload, runContext);
  }
}
