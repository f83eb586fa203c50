import {
  ask,
  block,
  type HookOptions,
  type Hooks,
  type Outcome,
  proceed,
  recover,
  skip,
  stop,
} from "@tenterhook/engine";
import type { Effect } from "@tenterhook/engine/host";
import { type EventName, eventRow } from "@tenterhook/protocol";

/** Registers a hook that has one effect, on any event that knows it. */
export function registerEffect(hooks: Hooks, event: EventName, effect: Effect, options: HookOptions): void {
  // TypeScript knows the outcomes of one event, not those of any.
  const answer = (() => createOutcome(event, effect)) as () => never;
  hooks.on(event, answer, options as never);
}

function createOutcome(event: EventName, effect: Effect): Outcome {
  switch (effect) {
    case "block":
      return block("no");
    case "stop":
      return stop("no");
    case "skip":
      return skip("skipped");
    case "ask":
      return ask("sure?");
    case "recover":
      return recover("recovered");
    case "context":
      return proceed(undefined, { context: "context of a hook" });
    case "patch":
      return proceed(createPatch(event) as never);
    case "proceed":
      return proceed();
  }
}

/** Another value for the first field that may be changed. */
function createPatch(event: EventName): object {
  const [[field, kind] = []] = Object.entries(eventRow(event).changes);
  return field === undefined || kind === undefined ? {} : { [field]: CHANGED[kind] };
}

const CHANGED: Readonly<Record<string, unknown>> = {
  string: "changed",
  any: "changed",
  array: [],
  object: { command: "changed" },
  error: new Error("changed"),
};
