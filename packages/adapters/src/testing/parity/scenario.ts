import type { Hooks } from "@tenterhook/engine";
import type { AroundPoint, Effect } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";
import type { AdapterOptions, AdapterSupport, HookSource } from "../../core/index.ts";

/** What the scripted model answers in one call. */
export type ScriptedAnswer =
  | {
      readonly text?: string;
      readonly calls?: readonly {
        readonly id: string;
        readonly name: string;
        readonly input: Readonly<Record<string, unknown>>;
      }[];
    }
  | { readonly error: string }
  /** The end of the answer waits: its text has been streamed by then. */
  | { readonly text: string; readonly calls?: undefined; readonly wait: () => Promise<void> };

/** A tool of a scenario. */
export interface ScenarioTool {
  readonly name: string;
  /** Its input is `{ command: string, paths: string[] }`; that of the others is `{ command: string }`. */
  readonly takesPaths: boolean;
  execute(input: { command: string; paths?: string[] }): unknown;
}

/** The answers of an agent that the agent of a scenario delegates to, in all its runs one after another. */
export type SubagentScripts = Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** How a run ended, without what differs between frameworks. */
export interface Outcome {
  /** The final text; absent when the run rejected. */
  readonly text?: string | undefined;
  /** A part of the message that the run rejected with. */
  readonly error?: string | undefined;
}

/** One behaviour that is the same in every framework. */
export interface Scenario {
  /** A sentence that could be false. */
  readonly name: string;
  /** The effects without which an adapter cannot show it. */
  readonly needs: readonly (readonly [EventName | AroundPoint, Effect?])[];
  /** An effect that only frameworks show which cannot carry it, although they fire the event. */
  readonly lacks?: readonly [EventName, Effect];
  readonly prompt?: string;
  readonly script: readonly ScriptedAnswer[];
  /** The agents that a call of `delegate` runs, by their names. They have the same hooks and tools. */
  readonly subagents?: SubagentScripts;
  /** The event that ends what the scenario is about, where that may be later than the run itself. */
  readonly waitsFor?: EventName;
  /** Registers the hooks. `abort` is the caller, who aborts the run; `note` records what a hook saw. */
  readonly hooks: (hooks: Hooks, abort: () => void, note: (text: string) => void) => void;
  /** When the caller aborts the run: at the first text that is streamed, before the answer ends. Then it is run with streaming only. */
  readonly abortsAt?: "text";
  /** The limit of steps, as the framework calls it. */
  readonly maxSteps?: number;
  /** What a person decides, where one is asked. */
  readonly decision?: "approve" | "reject";
  /** The commands that tools executed, in order. */
  readonly executed: readonly string[];
  readonly outcome: Outcome;
  /** The events in order, as `describeEvent` writes them; absent where their order is not fixed. */
  readonly events?: readonly string[];
  /** What hooks that are not enforced would have done: event, verdict and hook, each once, in order. Absent: not compared. */
  readonly wouldHave?: readonly string[];
  /** What hooks noted, in order. */
  readonly notes?: readonly string[];
  /** A second run with the same hooks, at the same time: what it must end with. Events of the two are not compared. */
  readonly beside?: {
    readonly prompt: string;
    readonly executed: readonly string[];
    readonly outcome: Outcome;
  };
  /** Texts that the model read, by the number of the call, from 0. */
  readonly reads?: Readonly<Record<number, readonly string[]>>;
  /** Texts that the model read in no call. */
  readonly neverReads?: readonly string[];
}

/** What a driver is given for one run. */
export interface DriverRun {
  readonly hooks: HookSource;
  readonly tools: readonly ScenarioTool[];
  readonly script: readonly ScriptedAnswer[];
  /** Each is a tool of the agent, in the way that the framework has for it, and streams if the agent does. */
  readonly subagents: SubagentScripts;
  readonly prompt: string;
  readonly isStreamed: boolean;
  /** What the driver decides when the framework asks for an approval: it answers and resumes until the run ends. */
  readonly decision: "approve" | "reject";
  /** The caller's signal. */
  readonly signal: AbortSignal;
  /** Call it for each text that is streamed. */
  readonly onText: () => void;
  /** The limit of steps; absent: the framework's own. */
  readonly maxSteps?: number | undefined;
}

/** What a driver reports of one run. */
export interface DriverResult extends Outcome {
  /** What the model was sent in each call, as text that contains every message: JSON. */
  readonly requests: readonly string[];
}

/** What a host carries of each event; adapters have more in their tables. */
export type DriverSupport = Pick<AdapterSupport, "name" | "events" | "around">;

/** Runs scenarios in one framework, or in Tenterhook's own agent, with a mock model. */
export interface Driver {
  /** The host in `KNOWN_DIFFERENCES`. */
  readonly name: string;
  readonly support: DriverSupport;
  /** Whether it is run a second time with streaming. */
  readonly canStream: boolean;
  /** Scenarios that this framework shows in another way: what differs, and why. */
  readonly differences?: Readonly<
    Record<
      string,
      Partial<Pick<Scenario, "events" | "notes" | "reads" | "neverReads" | "outcome" | "executed">>
    >
  >;
  /** Builds an agent with hooks, and does not run it. Throws what the adapter throws. */
  build(hooks: Hooks, options: AdapterOptions): unknown;
  run(run: DriverRun): Promise<DriverResult>;
}
