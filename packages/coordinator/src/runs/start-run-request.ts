import type { Requester } from "../domain/requesters.ts";
import type { ExecutionMode, Json } from "../store/rows.ts";

/** A client's request to start a run. */
export interface StartRunRequest {
  readonly agent_name: string;
  readonly parameters: Json;
  readonly session_id?: string | undefined;
  readonly parent_session_id?: string | undefined;
  readonly execution_mode: ExecutionMode;
}

/** The origin of a request. It is not part of the request: a repeated request is the same, whichever person sends it. */
export interface RunOrigin {
  /** The name of the person or the token that asks. */
  readonly by: string;
  /** The same, with the token. */
  readonly requester: Requester;
  /** The run that is to be repeated. */
  readonly retryOf?: string | undefined;
  /** The run whose agent asks. */
  readonly startedBy?: string | undefined;
}
