import type { EventName } from "@tenterhook/protocol";
import { PatternBudget } from "../match/pattern-budget.ts";
import type { Hook } from "../register/hook.ts";
import { Plan } from "./plan.ts";

/** Models invent tool names, so plans are kept for this many at most. */
const MOST_PLANS = 256;

/** The hooks of one event in order, and the plans made of them. */
export class EventHooks {
  readonly event: EventName;
  #hooks: readonly Hook[] = [];
  readonly #plans = new Map<string | undefined, Plan>();
  #lastTool: string | undefined;
  #lastPlan: Plan | undefined;
  /** True while nobody hooks this event. */
  isEmpty = true;

  constructor(event: EventName) {
    this.event = event;
  }

  get hooks(): readonly Hook[] {
    return this.#hooks;
  }

  /** Higher priority first, ties by place, and within a place in order of registration. */
  add(hook: Hook): void {
    const behind = this.#hooks.findIndex((other) => comesBefore(hook, other));
    this.#replace(this.#hooks.toSpliced(behind < 0 ? this.#hooks.length : behind, 0, hook));
  }

  remove(hook: Hook): void {
    this.#replace(this.#hooks.filter((other) => other !== hook));
  }

  planFor(tool: string | undefined): Plan {
    if (this.#lastPlan !== undefined && tool === this.#lastTool) return this.#lastPlan;
    let plan = this.#plans.get(tool);
    if (plan === undefined) {
      plan = this.#makePlan(tool);
      if (this.#plans.size >= MOST_PLANS) this.#plans.clear();
      this.#plans.set(tool, plan);
    }
    this.#lastTool = tool;
    this.#lastPlan = plan;
    return plan;
  }

  #replace(hooks: readonly Hook[]): void {
    this.#hooks = hooks;
    this.isEmpty = hooks.length === 0;
    this.#plans.clear();
    this.#lastPlan = undefined;
  }

  #makePlan(tool: string | undefined): Plan {
    const budget = new PatternBudget();
    const planned = this.#hooks.flatMap((hook) => {
      const match = hook.matcher?.plan(this.event, tool, budget) ?? "yes";
      if (match === "no") return [];
      return [{ hook, matcher: match === "yes" ? undefined : hook.matcher }];
    });
    // Tools that the same hooks match share a plan, and with it the code that was made for it.
    for (const known of this.#plans.values()) if (sameHooks(known.planned, planned)) return known;
    return new Plan(this.event, planned);
  }
}

function sameHooks(a: Plan["planned"], b: Plan["planned"]): boolean {
  return (
    a.length === b.length &&
    a.every(({ hook, matcher }, index) => hook === b[index]?.hook && matcher === b[index].matcher)
  );
}

function comesBefore(a: Hook, b: Hook): boolean {
  const difference = a.descriptor.priority - b.descriptor.priority;
  return difference > 0 || (difference === 0 && a.place < b.place);
}
