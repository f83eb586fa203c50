import type { Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Limits } from "../domain/limits.ts";
import type { HookRow } from "../store/rows.ts";

/** A hook, and the reply that ends it. */
export interface HookAnswer {
  readonly hook: HookRow;
  readonly reply: HookReply;
}

/**
 * One thing that happens to a run, inside one transaction. It collects the consequences for other runs: `settleHooks` applies them
 * before the transaction commits.
 */
export class Transition {
  readonly queries: Queries;
  readonly limits: Limits;
  readonly #answers: HookAnswer[] = [];
  readonly #orphaned = new Set<string>();

  constructor(queries: Queries, limits: Limits) {
    this.queries = queries;
    this.limits = limits;
  }

  /** A hook has its reply. Its end may end a run, which may be the reply to another hook. */
  answerHook(hook: HookRow, reply: HookReply): void {
    this.#answers.push({ hook, reply });
  }

  /** Hooks of a run have ended before the runs that execute them: those are stopped. */
  stopHookRunsOf(runId: string): void {
    this.#orphaned.add(runId);
  }

  nextAnswer(): HookAnswer | undefined {
    return this.#answers.shift();
  }

  nextRunWithEndedHooks(): string | undefined {
    const [runId] = this.#orphaned;
    if (runId !== undefined) this.#orphaned.delete(runId);
    return runId;
  }
}
