import type { EventName } from "@tenterhook/protocol";

/** The operations that can be wrapped. */
export type AroundPoint = "around_llm" | "around_tool";

/** Prepares a source of hooks for an event; the dispatch waits for a promise. */
export type Preparation = (event: EventName) => void | undefined | Promise<void>;

/** The functions that are called before every dispatch, so that sources of hooks can register what has changed. */
export class Preparations {
  readonly #inherited: readonly Preparations[];
  #all: readonly Preparation[] = [];

  constructor(inherited: readonly Preparations[] = []) {
    this.#inherited = inherited;
  }

  /** False while there are none, which costs a dispatch nothing. */
  get exist(): boolean {
    // The length first: this is read before every dispatch.
    return this.#all.length > 0 || (this.#inherited.length > 0 && this.#inherited.some(({ exist }) => exist));
  }

  add(prepare: Preparation): () => void {
    this.#all = [...this.#all, prepare];
    return () => {
      this.#all = this.#all.filter((other) => other !== prepare);
    };
  }

  /** Calls all of them, the inherited ones too; a promise when one of them returns one. */
  run(event: EventName): Promise<unknown> | undefined {
    if (!this.exist) return;
    const waiting = [...this.#withInherited()].map((prepare) => prepare(event));
    return waiting.every((each) => each === undefined) ? undefined : Promise.all(waiting);
  }

  /** Each once, however often it is inherited. */
  #withInherited(): Set<Preparation> {
    return new Set([...this.#inherited.flatMap((each) => [...each.#withInherited()]), ...this.#all]);
  }
}

/** A hook or a wrapper that is about to be registered. */
export interface NewRegistration {
  readonly name: string;
  readonly event: EventName | AroundPoint;
  readonly source: string;
  /** It cannot change or refuse anything: a background hook, one that only observes, or one that is not enforced. */
  readonly onlyObserves: boolean;
}

/** A host that fires only some of the events, such as an agent inside another framework. */
export interface HookHost {
  /** Hosts with one key are the same: a set keeps one of them, however many agents are built with it. */
  readonly key: string;
  /** For messages: `LangChain`. */
  readonly name: string;
  /** Why this host does not call hooks of this event; `undefined` where it does. */
  findGap(event: EventName | AroundPoint): string | undefined;
  /** Called before a registration. What it throws, `on`, `use` and `around` throw. */
  check(registration: NewRegistration): void;
}

/** The hosts of a set of hooks. */
export class HookHosts {
  readonly #hosts = new Map<string, HookHost>();
  readonly #inherited: readonly HookHosts[];

  constructor(inherited: readonly HookHosts[] = []) {
    this.#inherited = inherited;
  }

  /** Hooks of inherited sets are called by the host too, so it is added to those sets. */
  add(host: HookHost): void {
    this.#hosts.set(host.key, host);
    for (const inherited of this.#inherited) inherited.add(host);
  }

  check(registration: NewRegistration): void {
    for (const host of this.#hosts.values()) host.check(registration);
  }

  /** The hosts that do not call the hooks of an event, and why. */
  findGaps(event: EventName): readonly HostGap[] {
    return [...this.#hosts.values()].flatMap((host) => {
      const why = host.findGap(event);
      return why === undefined ? [] : [{ host: host.name, why }];
    });
  }
}

/** A host that does not call the hooks of an event. */
export interface HostGap {
  readonly host: string;
  readonly why: string;
}
