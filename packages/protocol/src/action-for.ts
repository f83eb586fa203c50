import type { Action } from "./actions.ts";
import { type EventName, eventRow } from "./events.ts";
import type { OutcomeType } from "./outcomes.ts";

/** What a host does when a hook at this event gave this outcome. `ask` is resolved before it gets here. */
export function actionFor(event: EventName, outcome: OutcomeType): Action {
  const row = eventRow(event);
  switch (outcome) {
    case "proceed":
      return "go_on";
    case "block":
    case "ask":
      return row.block.action;
    case "stop":
      return row.stop;
    case "skip":
      return "skip";
    case "recover":
      return "recover";
  }
}
