import type { Usage } from "@tenterhook/protocol";
import type { ModelSettings } from "../model/model.ts";

/** A part of a run that takes time, with what is known when it begins. */
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
      /** What it is for, where it is not the next step: `compaction`. */
      readonly purpose: string | undefined;
    }
  | {
      readonly type: "execute_tool";
      readonly toolName: string;
      readonly toolUseId: string;
      readonly description: string | undefined;
      readonly toolInput: Readonly<Record<string, unknown>>;
    };

/** What becomes known about an operation while it goes on. */
export interface OperationFacts {
  /** The model that was asked in the end, and who provides it. */
  readonly model?: string;
  readonly provider?: string;
  /** What the model was asked with: its settings, whether the answer is streamed, and whether it must be JSON. */
  readonly settings?: ModelSettings | undefined;
  readonly streams?: boolean;
  readonly wantsJson?: boolean;
  /** The model that says it answered. */
  readonly responseModel?: string | undefined;
  readonly finishReason?: string;
  readonly usage?: Usage | undefined;
  /** What went in, after the hooks: the message, the conversation, or the tool's input. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** How it ended: `completed`, `failed`, or a word for an end that is no error: `blocked`, `skipped`, `aborted`, … */
  readonly outcome?: string;
  /** What went wrong. It stands when the outcome is `failed`, and was dealt with when it is another. */
  readonly error?: Error;
}

/** Follows the parts of runs: the port behind the OpenTelemetry listener. */
export interface AgentInstrument {
  /** Must call `work` once, return what it returns and let through what it throws. */
  span<T>(operation: AgentOperation, work: (note: (facts: OperationFacts) => void) => Promise<T>): Promise<T>;
}

/** Carries out work inside the spans of all instruments; with none, it costs nothing. */
export function withSpans<T>(
  instruments: readonly AgentInstrument[],
  operation: () => AgentOperation,
  work: (note: (facts: OperationFacts) => void) => Promise<T>,
): Promise<T> {
  if (instruments.length === 0) return work(() => undefined);
  const described = operation();
  const enter = (index: number, notes: readonly ((facts: OperationFacts) => void)[]): Promise<T> => {
    const instrument = instruments[index];
    if (instrument === undefined) {
      return work((facts) => {
        for (const note of notes) note(facts);
      });
    }
    return instrument.span(described, (note) => enter(index + 1, [...notes, note]));
  };
  return enter(0, []);
}
