import { Observers, type Report } from "../trace/observers.ts";
import { Background } from "./background.ts";

/** What all dispatches of one set of hooks share. */
export interface Runtime {
  readonly observers: Observers;
  readonly background: Background;
  /** Whether entries are kept for the trace. */
  readonly tracing: boolean;
}

/** The runtime of a set, under the one of the set that it inherits from. */
export function newRuntime(
  { report, trace }: { readonly report?: Report; readonly trace?: boolean },
  above: Runtime | undefined,
): Runtime {
  return {
    observers: new Observers(report, above?.observers),
    background: new Background(above?.background),
    tracing: trace ?? above?.tracing ?? true,
  };
}
