import type { Locations } from "@tenterhook/file-hooks";
import type { BridgeSession } from "../../session/bridge-session.ts";
import type { NativePayload } from "./native-call.ts";

/** A client's call of the bridge. */
export interface BridgeCall {
  readonly client: string;
  /** The client's name of the event. */
  readonly event: string;
  /** The payload, or a function that reads it within the given time and otherwise rejects with the reason. */
  readonly stdin: string | ((leftMs: number) => Promise<string>);
  readonly cwd: string;
  /** The client's variables, which hooks inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the client waits, in milliseconds. Default: what it waits when its configuration does not say. */
  readonly timeoutMs?: number;
  /** When the client began to wait, by `performance.now()`: 0 is the start of the process. Default: now. */
  readonly waitingSince?: number;
  /** Which of several entries in the client's configuration calls. */
  readonly entry?: string;
  /** Starts the process that runs hooks which outlive the bridge; given the path of their job. Default: they are not run. */
  readonly startJob?: (path: string) => void | Promise<void>;
}

/** Where a call happens: which folders' hooks count, and what is known of the session. */
export interface CallLocation {
  /** The current folder first, then those that the session began in. */
  readonly locations: readonly Locations[];
  readonly folders: readonly string[];
  readonly state: string;
  /** The project of the current folder, else of the one that the session began in. */
  readonly project: string | undefined;
  readonly session: BridgeSession;
  /** The folders that the session began in can be neither read nor stored, and the client does not name its project. */
  readonly isStartUnknown: boolean;
}

/** A call that could be read, and where it happens. */
export interface OpenCall {
  readonly call: BridgeCall;
  readonly native: NativePayload;
  readonly location: CallLocation;
  /** The time from the client's call within which it must be answered. */
  readonly deadlineMs: number;
}
