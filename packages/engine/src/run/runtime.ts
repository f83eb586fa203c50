import { Observers, type Report } from "../trace/observers.ts";
import { Background } from "./background.ts";

/** What all dispatches of one set of hooks share. */
export interface Runtime {
  readonly observers: Observers;
  readonly background: Background;
  /** Whether entries are kept for the trace. */
  readonly tracing: boolean;
}

/** The runtime of a set, under those of the sets that it inherits from. */
export function newRuntime(
  { report, trace }: { readonly report?: Report; readonly trace?: boolean },
  above: readonly Runtime[],
): Runtime {
  return {
    observers: new Observers(
      report,
      above.map(({ observers }) => observers),
    ),
    background: new Background(above.map(({ background }) => background)),
    tracing: trace ?? above.every(({ tracing }) => tracing),
  };
}
