import { findLocations } from "@tenterhook/file-hooks";
import { BridgeSession } from "../../session/bridge-session.ts";
import type { NativePayload } from "./native-call.ts";
import type { BridgeCall, CallLocation } from "./open-call.ts";

/** Finds the folders and the session of a call. A session keeps the folders that it began in: changing the folder turns no hook off. */
export function locateCall(
  { env }: BridgeCall,
  { client, sessionId, cwd }: Pick<NativePayload, "client" | "sessionId" | "cwd">,
): CallLocation {
  const current = findLocations(cwd, env);
  const session = new BridgeSession(current.state, client.id, sessionId, cwd);
  const named = client.environment.project.map((name) => env[name] ?? "").filter((folder) => folder !== "");
  const here = [...new Set([cwd, ...named])];
  const begun = sessionId === "" ? here : session.startedIn(here);
  const others = (begun ?? here)
    .filter((folder) => folder !== cwd)
    .map((folder) => findLocations(folder, env));
  const locations = [current, ...others];
  return {
    locations,
    folders: locations.map((each) => each.cwd),
    state: current.state,
    project: locations.map(({ project }) => project).find((project) => project !== undefined),
    session,
    isStartUnknown: begun === undefined && named.length === 0,
  };
}
