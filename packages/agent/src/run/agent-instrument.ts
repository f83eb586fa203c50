import type { Usage } from "@tenterhook/protocol";
import type { ModelSettings } from "../model/model.ts";

/** An operation of a run, with what is known when it starts. */
export type AgentOperation =
  | {
      readonly type: "invoke_agent";
      readonly agent: {
        readonly id: string;
        readonly name: string;
        readonly description?: string | undefined;
      };
      readonly sessionId: string;
      readonly model: string;
      readonly provider: string;
      readonly message: string;
    }
  | {
      readonly type: "chat";
      readonly model: string;
      readonly provider: string;
      readonly sessionId: string;
      /** The purpose of a call that is not the next step: `compaction`. */
      readonly purpose: string | undefined;
    }
  | {
      readonly type: "execute_tool";
      readonly toolName: string;
      readonly toolUseId: string;
      readonly description: string | undefined;
      readonly toolInput: Readonly<Record<string, unknown>>;
    };

/** What becomes known about an operation while it runs. */
export interface OperationFacts {
  /** The model that was called, and its provider. */
  readonly model?: string;
  readonly provider?: string;
  /** The model call: its settings, whether the answer is streamed, and whether it must be JSON. */
  readonly settings?: ModelSettings | undefined;
  readonly streams?: boolean;
  readonly wantsJson?: boolean;
  /** The model in the response. */
  readonly responseModel?: string | undefined;
  readonly finishReason?: string;
  readonly usage?: Usage | undefined;
  /** The input after the hooks: the message, the conversation, or the tool's input. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** How it ended: `completed`, `failed`, or an end that is not an error: `blocked`, `skipped`, `aborted`, … */
  readonly outcome?: string;
  /** The error, if the outcome is `failed`. */
  readonly error?: Error;
}

/** Observes the operations of runs; the OpenTelemetry listener implements it. */
export interface AgentInstrument {
  /** Must call `work` once, return its result and rethrow its errors. */
  span<T>(
    operation: AgentOperation,
    work: (record: (facts: OperationFacts) => void) => Promise<T>,
  ): Promise<T>;
}

/** Runs work inside the spans of all instruments; without instruments it is free. */
export function withSpans<T>(
  instruments: readonly AgentInstrument[],
  operation: () => AgentOperation,
  work: (record: (facts: OperationFacts) => void) => Promise<T>,
): Promise<T> {
  const [instrument, ...others] = instruments;
  if (instrument === undefined) return work(() => undefined);
  const described = operation();
  return instrument.span(described, (record) =>
    withSpans(
      others,
      () => described,
      (recordOthers) =>
        work((facts) => {
          record(facts);
          recordOthers(facts);
        }),
    ),
  );
}
