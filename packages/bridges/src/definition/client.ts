import type { Evidence } from "./answers.ts";
import type { Configuration } from "./configuration.ts";
import type { Fields, NativeEvent, Timeout } from "./events.ts";
import type { Tools } from "./tools.ts";

/** How the environment shows that a process runs inside a client. */
export interface ClientEnvironment {
  /** Variables that its hooks or its shell find set, and that people do not set themselves. `CODEX_*` stands for all that begin so. */
  readonly markers: readonly string[];
  /** The names of its programs, where it sets no such variable. */
  readonly programs?: readonly string[];
  /** Those of them that only its hooks have: they distinguish it from another client that reads the same configuration. */
  readonly hookMarkers: readonly string[];
  /** The variable with the session's id. Where it is the payload's, the caller is certain. */
  readonly session?: string;
  /** Variables with the project's folder, the surest first. */
  readonly project: readonly string[];
  /** A variable of its hooks, and the value that it has where the client runs without a person. */
  readonly unattended?: { readonly variable: string; readonly value: string };
  /** Variables of the same prefix that people keep in their profile, or that terminals of editors set; also with `*`. */
  readonly settings: readonly string[];
}

/** What hooks may do in a client, as the table of all clients has it. */
export type CapabilityId =
  | "refuse_tool"
  | "change_input"
  | "ask"
  | "object"
  | "replace_result"
  | "refuse_prompt"
  | "keep_running"
  | "keep_subagent_running"
  | "add_context"
  | "name_failure";

/** What something was found out with, and on which day. */
export interface Finding {
  /** Absent for documentation that names none. */
  readonly version?: string;
  readonly date: string;
}

/** How a client's behaviour is known. */
export interface Known {
  /** The version that it was measured with. */
  readonly version: string;
  /** For each kind of evidence that was gathered by hand. */
  readonly found: Readonly<Partial<Record<Exclude<Evidence, "live">, Finding>>>;
  /** What `test/clients` was seen to show of the real client, and the version on each processor that it was seen on. */
  readonly live?: {
    readonly processors: Readonly<Partial<Record<"x64" | "arm64", Finding>>>;
    readonly shows: readonly CapabilityId[];
  };
  /** How it is known that the client has no way to do something, where nothing else is done in its place. */
  readonly lacks?: Readonly<Partial<Record<CapabilityId, Evidence>>>;
}

/** Everything that is known about a coding agent. One folder below `clients/` makes one of these. */
export interface Client {
  /** As `--client` names it. */
  readonly id: string;
  readonly name: string;
  /** Other names that people give it on the command line. Case, spaces and dashes do not count there; `name` is accepted as well. */
  readonly aliases: readonly string[];
  readonly program: { readonly command: string; readonly versionArguments: readonly string[] };
  readonly known: Known;
  readonly environment: ClientEnvironment;
  /** Other clients whose configuration it reads too. */
  readonly readsFilesOf: readonly string[];
  readonly configuration: Configuration;
  readonly timeout: Timeout;
  readonly fields: Fields;
  readonly events: Readonly<Record<string, NativeEvent>>;
  /** Other names of events, in payloads or in older versions. */
  readonly eventAliases?: Readonly<Record<string, string>>;
  readonly tools: Tools;
  /** Permission modes in which the client asks the person nothing, so that there is no prompt that an approval would skip. */
  readonly promptlessModes: readonly string[];
  /** The client reports a refused tool as `after_tool_failure`; for all others the bridge fires that event. */
  readonly reportsBlockedTools: boolean;
  /** A refused call ends the whole run: the client cannot refuse a single call. */
  readonly endsRunOnBlock?: boolean;
  /**
   * The client's tool that types into a program that runs, where the client does not call hooks for it. Where a hook guards Shell, the start
   * of a program that runs what is typed is refused.
   */
  readonly unseenInput?: string;
  /** What is printed where there is nothing to say, for a client that takes no output for a failure. */
  readonly emptyAnswer?: string;
  /** What is not enforced here, in sentences for `clients` and `install`. */
  readonly limits: readonly string[];
  /** Where the person does not see, or not at once, that a hook could not check a call and it passed. Absent: they always see it. */
  readonly noticeLimit?: string;
}

/** Declares a client. */
export function defineClient<const C extends Client>(client: C): C {
  return client;
}
