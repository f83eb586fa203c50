import type { EventName } from "@tenterhook/protocol";
import type { AroundPoint } from "../run/around.ts";

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
