import type { Abortable } from "@tenterhook/internal";
import type { EventName, Metadata, Payload } from "@tenterhook/protocol";
import type { Approver } from "../answer/approval.ts";

/** What tools of a program are like, by their names: `{ bash: "Shell", save: "WriteFile" }`. */
export type EffectsOf = Readonly<Record<string, string>>;

/** What a host gives once for a whole run. */
export interface RunOptions {
  /** The metadata that the hooks of the run share; a dispatch without it gets its own. */
  readonly metadata?: Metadata | undefined;
  /** Cancels the dispatch: the signals of its hooks fire, and it ends as `stop`. */
  readonly signal?: AbortSignal | Abortable | undefined;
  /** Decides when a hook returns `ask`; without an approver, asking blocks. */
  readonly approve?: Approver | undefined;
  /** What the program's own tools do, for matchers with `effect`. */
  readonly effectsOf?: EffectsOf | undefined;
}

/** What a host may give for one dispatch. */
export interface DispatchOptions<E extends EventName = EventName> extends RunOptions {
  /** Checks a value that a hook changed; the text it returns, or the error it throws, is the problem. */
  validate?(payload: Payload<E>): string | undefined | Promise<string | undefined>;
  /** The host's own permission check, repeated when the final value is not the original; returns why it refuses. */
  permit?(payload: Payload<E>): string | undefined | Promise<string | undefined>;
}
