import { block, createHooks, type Hooks } from "@tenterhook/engine";
import { listMissingEffects } from "@tenterhook/engine/host";
import { EVENT_NAMES, type EventName, eventRow, TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { readSupport } from "../../core/index.ts";
import type { Driver } from "./scenario.ts";

/** Tests what a framework reports about hooks on the events that it does not fire: one row for each event of the support table. */
export function testSetUp(driver: Driver): void {
  const isFired = (event: EventName) => readSupport(driver.support, event).level !== "none";
  const decides = (event: EventName) => {
    const { block: meaning, changes, outcomes } = eventRow(event);
    return meaning.action !== "record" || Object.keys(changes).length > 0 || outcomes.includes("recover");
  };
  const missing = EVENT_NAMES.filter((event) => !isFired(event));

  describe(`an agent of ${driver.name}`, () => {
    test.each(EVENT_NAMES.filter(isFired))("is built with a hook on %s", (event) => {
      const { hooks, warnings, build } = setUp(driver);
      register(hooks, event, "guard");
      build();
      const missing = listMissingEffects(driver.support, event);
      const wanted = expect.stringMatching(new RegExp(`hook "guard" on ${event}: .* cannot carry out`));
      expect(warnings).toEqual(missing.length === 0 ? [] : [wanted]);
      expect(hooks.explain(event, {}).notCalledBy ?? []).toEqual([]);
    });

    const lacking = EVENT_NAMES.flatMap((event) =>
      listMissingEffects(driver.support, event).map((effect) => [event, effect] as const),
    );
    test.for(lacking)(
      "is built with a warning about a hook on %s, which cannot carry %s",
      ([event, effect]) => {
        const { hooks, warnings, build } = setUp(driver);
        register(hooks, event, "guard");
        build();
        const answer = effect === "patch" ? "a change" : effect;
        expect(warnings).toEqual([
          expect.stringMatching(new RegExp(`"guard" on ${event}: .*: .*${answer}.*;`)),
        ]);
      },
    );

    test.for(lacking)("is built without a warning about a hook that observes %s, %s or not", ([event]) => {
      const { hooks, warnings, build } = setUp(driver);
      hooks.on(event, () => undefined, { name: "watcher", observes: true });
      hooks.on(event, () => block("no"), { name: "trial", enforce: false });
      build();
      expect(warnings).toEqual([]);
    });

    test.each(missing.filter(decides))("is not built with a hook on %s, which is named", (event) => {
      const { hooks, build } = setUp(driver);
      register(hooks, event, "guard");
      expect(readError(build)).toMatchObject({ code: "unsupported_hook", hook: "guard", event });
    });

    test.each(missing)("is built with a hook that observes %s, with a warning that names it", (event) => {
      const { hooks, warnings, build } = setUp(driver);
      hooks.on(event, () => undefined, { name: "watcher", observes: true });
      build();
      expect(warnings).toEqual([expect.stringContaining(`hook "watcher" on ${event}`)]);
    });

    test.each(missing)("that exists makes explain list the framework for %s", (event) => {
      const { hooks, build } = setUp(driver);
      build();
      expect(hooks.explain(event, {}).notCalledBy).toMatchObject([{ host: driver.support.name }]);
    });

    test.each(missing.filter(decides))(
      "that exists refuses a later hook on %s where it is registered",
      (event) => {
        const { hooks, build } = setUp(driver);
        build();
        expect(readError(() => register(hooks, event, "late"))).toMatchObject({ hook: "late", event });
        expect(hooks.list(event)).toEqual([]);
      },
    );

    test.each(EVENT_NAMES.filter(isFired))(
      "that has all extension points accepts a later hook on %s",
      (event) => {
        const { hooks, build } = setUp(driver);
        build({ events: "all" });
        register(hooks, event, "late");
        expect(hooks.list(event)).toHaveLength(1);
      },
    );

    test.each(missing.filter(decides))("is built with a hook on %s that the caller gives up", (event) => {
      const { hooks, warnings, build } = setUp(driver);
      register(hooks, event, "guard");
      build({ ignoredEvents: [event] });
      expect(warnings).toEqual([]);
    });
  });
}

function setUp(driver: Driver) {
  const hooks = createHooks();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const build = (options: Parameters<Driver["build"]>[1] = {}) => driver.build(hooks, { warn, ...options });
  return { hooks, warnings, build };
}

function register(hooks: Hooks, event: EventName, name: string): void {
  hooks.on(event, () => block("no"), { name });
}

function readError(operation: () => unknown): TenterhookError {
  try {
    operation();
  } catch (error) {
    if (TenterhookError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("it did not throw");
}
