import type { EventName } from "@tenterhook/protocol";
import { planAnyName } from "../match/any-name.ts";
import type { Matcher } from "../match/matcher.ts";
import { PatternBudget } from "../match/pattern.ts";
import type { Hook } from "../register/hook.ts";

/** A hook in a plan, with what of its matcher is still to be decided when the event comes. */
export interface PlannedHook {
  readonly hook: Hook;
  readonly matcher: Matcher | undefined;
}

/** The hooks of one event, and for tool events of one tool, in order. */
export class Plan {
  readonly event: EventName;
  readonly planned: readonly PlannedHook[];
  readonly sync: readonly PlannedHook[];
  readonly background: readonly PlannedHook[];
  /** By the hook's id: the alias of the tool that it matches by, where the tool's own name does not match. */
  readonly matchedAs: ReadonlyMap<string, string> | undefined;
  /** A matcher is about what the call does. */
  readonly needsEffects: boolean;

  constructor(event: EventName, planned: readonly PlannedHook[], matchedAs?: ReadonlyMap<string, string>) {
    this.event = event;
    this.planned = planned;
    this.matchedAs = matchedAs;
    this.sync = planned.filter(({ hook }) => hook.descriptor.mode === "sync");
    this.background = planned.filter(({ hook }) => hook.descriptor.mode === "background");
    this.needsEffects = planned.some(({ matcher }) => matcher?.needsEffects);
  }

  get isEmpty(): boolean {
    return this.planned.length === 0;
  }
}

/** Models invent tool names, so plans are kept for this many at most. */
const MAX_PLANS = 256;

/** The hooks of one event in order, and the plans made of them. */
export class EventHooks {
  readonly event: EventName;
  /** The sets whose hooks count here too. */
  readonly #inherited: readonly EventHooks[];
  #own: readonly Hook[] = [];
  /** All that count, in order. */
  #hooks: readonly Hook[] = [];
  /** The inherited lists that it was made from. */
  #inheritedLists: readonly (readonly Hook[])[] = [];
  readonly #plans = new Map<string | undefined, Plan>();
  #lastTool: string | undefined;
  #lastPlan: Plan | undefined;

  constructor(event: EventName, inherited: readonly EventHooks[] = []) {
    this.event = event;
    this.#inherited = inherited;
  }

  get hooks(): readonly Hook[] {
    if (this.#inherited.length > 0) this.#refresh();
    return this.#hooks;
  }

  get isEmpty(): boolean {
    return this.hooks.length === 0;
  }

  /** Higher priority first, ties by position, and at one position in order of registration. */
  add(hook: Hook): void {
    const behind = this.#own.findIndex((other) => comesBefore(hook, other));
    this.#own = this.#own.toSpliced(behind < 0 ? this.#own.length : behind, 0, hook);
    this.#merge();
  }

  remove(hook: Hook): void {
    this.#own = this.#own.filter((other) => other !== hook);
    this.#merge();
  }

  /** Takes over changes of the inherited sets. Done before every use, so that they need not know their heirs. */
  #refresh(): void {
    for (let index = 0; index < this.#inherited.length; index++) {
      if (this.#inherited[index]?.hooks !== this.#inheritedLists[index]) {
        this.#merge();
        return;
      }
    }
  }

  /** The plan for a payload: that of its tool, where the event has one. */
  planFor(payload: object): Plan {
    const { toolName, toolAliases } = payload as { toolName?: string; toolAliases?: readonly string[] };
    return toolAliases === undefined
      ? this.#planForTool(toolName)
      : this.#planForNames(toolName, toolAliases);
  }

  /** The plan for a tool that has other names too. It is not kept: only few tools have some. */
  #planForNames(tool: string | undefined, aliases: readonly string[]): Plan {
    const budget = new PatternBudget();
    const matchedAs = new Map<string, string>();
    const planned = this.hooks.flatMap((hook): PlannedHook[] => {
      if (hook.matcher === undefined) return [{ hook, matcher: undefined }];
      const { match, matchedAs: alias } = planAnyName(hook.matcher, this.event, tool, aliases, budget);
      if (match === "no") return [];
      if (alias !== undefined) matchedAs.set(hook.descriptor.id, alias);
      return [{ hook, matcher: match === "yes" ? undefined : hook.matcher }];
    });
    return new Plan(this.event, planned, matchedAs);
  }

  #planForTool(tool: string | undefined): Plan {
    if (this.#lastPlan !== undefined && tool === this.#lastTool) return this.#lastPlan;
    let plan = this.#plans.get(tool);
    if (plan === undefined) {
      plan = this.#makePlan(tool);
      if (this.#plans.size >= MAX_PLANS) this.#plans.clear();
      this.#plans.set(tool, plan);
    }
    this.#lastTool = tool;
    this.#lastPlan = plan;
    return plan;
  }

  /** Among equal priorities the inherited ones come first; one that is inherited twice is called once. */
  #merge(): void {
    this.#inheritedLists = this.#inherited.map(({ hooks }) => hooks);
    const all = [...new Set([...this.#inheritedLists.flat(), ...this.#own])];
    this.#hooks = all.sort((a, b) => b.descriptor.priority - a.descriptor.priority);
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
    // Tools that the same hooks match share a plan.
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
  return difference > 0 || (difference === 0 && a.position < b.position);
}
