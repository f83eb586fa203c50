import type { Client } from "../../definition/client.ts";
import type { Path } from "../../definition/events.ts";
import type { Probe } from "./new-probe.ts";

/** A call in a client's own format for a probe: a tool that does not exist, with no input. */
export function probePayload(client: Client, event: string, { cwd, session }: Probe): object {
  const payload: Record<string, unknown> = { hook_event_name: event };
  const fields = { ...client.fields, ...client.events[event]?.fields };
  put(payload, fields.sessionId, session);
  put(payload, fields.cwd, cwd);
  put(payload, fields.toolName, "TenterhookDoctor");
  put(payload, fields.toolInput, {});
  put(payload, fields.toolUseId, session);
  return payload;
}

function put(payload: Record<string, unknown>, path: Path, value: unknown): void {
  const keys = (typeof path === "string" ? path : (path[0] ?? "")).split(".");
  let at = payload;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1) ?? ""] = value;
}
