import { readable } from "@tenterhook/internal";
import { type EventName, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { RunOptions } from "../context/dispatch-options.ts";
import { type Context, HookRunContext, newContext } from "../context/hook-context.ts";
import { matchAnyName } from "../match/any-name.ts";
import { loadEffects } from "../match/call-effects.ts";
import { type Matcher, type MatcherLike, toMatcher } from "../match/matcher.ts";
import { PatternBudget } from "../match/pattern.ts";
import { MatchSubject } from "../match/subject.ts";
import { checkKnownOptions } from "../register/hook.ts";
import type { AroundPoint } from "../register/inherited.ts";

/** Each point has the fields of the event before it. */
const BEFORE = { around_llm: "before_llm", around_tool: "before_tool" } as const satisfies Record<
  AroundPoint,
  EventName
>;

/** The event before the operation. */
export type EventBefore<P extends AroundPoint> = (typeof BEFORE)[P];

/** What a wrapper is given of the call that it wraps. */
export type Operation<P extends AroundPoint> = Payload<EventBefore<P>>;

/** What may be given to `next`: another model. Not a tool's input, because its guards have judged it. */
export type Redirect<P extends AroundPoint> = P extends "around_llm"
  ? { readonly model?: string }
  : { readonly model?: never };

/**
 * Wraps an operation. `next` runs it and may be called again after it failed or returned; what the handler
 * returns is the operation's result, and what it throws is its error.
 */
export type AroundHandler<P extends AroundPoint> = (
  context: Context<EventBefore<P>>,
  next: (redirect?: Redirect<P>) => Promise<unknown>,
) => unknown;

/** When a wrapper is called, and in which order. */
export interface AroundOptions<M extends MatcherLike = MatcherLike> {
  readonly name?: string;
  /** Higher is further out. Default 0. */
  readonly priority?: number;
  readonly matcher?: M;
  /** Only observes: what it returns is ignored, the operation's own result stands. Default false. */
  readonly observes?: boolean;
}

/** A registered wrapper. */
export interface WrapperDescriptor {
  readonly name: string;
  readonly observes: boolean;
}

interface Wrapper extends WrapperDescriptor {
  readonly priority: number;
  readonly matcher: Matcher | undefined;
  readonly handler: AroundHandler<AroundPoint>;
}

/** The wrappers of the model call and the tool call. */
export class Around {
  readonly #wrappers: Record<AroundPoint, readonly Wrapper[]> = { around_llm: [], around_tool: [] };
  /** Those whose wrappers count here too. */
  readonly #inherited: readonly Around[];

  constructor(inherited: readonly Around[] = []) {
    this.#inherited = inherited;
  }

  add<P extends AroundPoint>(point: P, handler: AroundHandler<P>, options: AroundOptions): () => void {
    checkKnownOptions(options, ["name", "priority", "matcher", "observes"], { hook: handler?.name || point });
    const { priority = 0, matcher, observes = false } = options;
    const name = options.name ?? (handler?.name || point);
    const wrong = (code: "unknown_event" | "bad_hook" | "bad_priority" | "bad_matcher", message: string) =>
      new TenterhookError(code, message, { hook: name });
    if (!Object.hasOwn(BEFORE, point))
      throw wrong("unknown_event", `no operation "${String(point)}" can be wrapped.`);
    if (typeof handler !== "function") throw wrong("bad_hook", "a wrapper must be a function (ctx, next).");
    if (!Number.isSafeInteger(priority)) throw wrong("bad_priority", "the priority must be an integer.");
    const read = matcher === undefined ? undefined : toMatcher(matcher);
    if (read?.needsTool && point !== "around_tool")
      throw wrong("bad_matcher", "a model call has no tool to match.");
    const wrapper: Wrapper = {
      name,
      observes,
      priority,
      matcher: read,
      handler: handler as AroundHandler<AroundPoint>,
    };
    // Higher priority is further out, ties in order of registration.
    this.#wrappers[point] = [...this.#wrappers[point], wrapper].sort((a, b) => b.priority - a.priority);
    return () => {
      this.#wrappers[point] = this.#wrappers[point].filter((other) => other !== wrapper);
    };
  }

  has(point: AroundPoint): boolean {
    return this.#wrappers[point].length > 0 || this.#inherited.some((other) => other.has(point));
  }

  list(point: AroundPoint): readonly WrapperDescriptor[] {
    return this.#all(point).map(({ name, observes }) => ({ name, observes }));
  }

  #all(point: AroundPoint): readonly Wrapper[] {
    if (this.#inherited.length === 0) return this.#wrappers[point];
    const inherited = this.#inherited.flatMap((each) => each.#all(point));
    return [...new Set([...inherited, ...this.#wrappers[point]])].sort((a, b) => b.priority - a.priority);
  }

  async call<P extends AroundPoint, R>(
    point: P,
    payload: Operation<P>,
    operation: (payload: Operation<P>) => R | Promise<R>,
    options?: RunOptions,
  ): Promise<R> {
    const runContext = new HookRunContext(options);
    try {
      return (await this.#run(point, this.#all(point), payload, operation as never, runContext)) as R;
    } catch (error) {
      // Wrappers, models and tools may throw anything; the host gets something that it can read.
      throw readable(error);
    } finally {
      runContext.release();
    }
  }

  async #run(
    point: AroundPoint,
    wrappers: readonly Wrapper[],
    payload: Operation<AroundPoint>,
    operation: (payload: Operation<AroundPoint>) => unknown,
    runContext: HookRunContext,
  ): Promise<unknown> {
    const [outer, ...inner] = wrappers;
    if (outer === undefined) return operation(payload);
    const event = BEFORE[point];
    const context = newContext(event, payload, runContext);
    if (outer.matcher?.needsEffects) await loadEffects();
    const matches =
      outer.matcher === undefined
        ? "yes"
        : matchAnyName(outer.matcher, new MatchSubject(event, payload, context), new PatternBudget());
    if (matches === "no") return this.#run(point, inner, payload, operation, runContext);
    let running = false;
    let last: { readonly result: unknown } | undefined;
    const next = async (redirect: { readonly model?: string } = {}): Promise<unknown> => {
      if (running) {
        const problem = "it called next() while the operation was still running.";
        const hint = "Wait for the first call before trying again.";
        throw new TenterhookError("next_called_twice", problem, { hook: outer.name, hint });
      }
      const surplus = Object.keys(redirect).find((key) => key !== "model" || point !== "around_llm");
      if (surplus !== undefined) {
        throw new TenterhookError("patch_not_allowed", `it changed "${surplus}" on the way in.`, {
          hook: outer.name,
          hint: `Guards have judged it already: change it in ${event} instead.`,
        });
      }
      running = true;
      try {
        const redirected = redirect.model === undefined ? payload : { ...payload, model: redirect.model };
        last = { result: await this.#run(point, inner, redirected, operation, runContext) };
        return last.result;
      } finally {
        running = false;
      }
    };
    const result = await outer.handler(context as never, next);
    if (!outer.observes) return result;
    if (last === undefined) {
      const problem = "it is registered with observes: true, and did not call next().";
      throw new TenterhookError("bad_outcome", problem, { hook: outer.name });
    }
    return last.result;
  }
}
