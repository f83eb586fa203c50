import { withoutBom } from "@tenterhook/internal";
import { loadReaders } from "../../clients/index.ts";
import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";
import { realCaller } from "./caller.ts";
import { isTooLong, nativeEvent } from "./native-call.ts";
import type { ReceivedCall } from "./read-call.ts";
import { idAt, textAt } from "./value-at.ts";

/** Who calls, at which event, and from where. */
export interface Caller {
  readonly client: Client;
  readonly found: { readonly name: string; readonly event: NativeEvent } | undefined;
  readonly sessionId: string;
  readonly cwd: string;
}

/** The payload says it. If it could not be read, the environment may name the client that really calls, and the session. */
export async function findCaller({ call, named, text = "", native }: ReceivedCall): Promise<Caller> {
  if (native !== undefined) {
    const { client, eventName: name, event, sessionId, cwd } = native;
    return { client, found: { name, event }, sessionId, cwd: isTooLong(cwd) ? call.cwd : cwd };
  }
  const { session } = named.environment;
  const inEnvironment = (session === undefined ? undefined : call.env[session]) ?? "";
  const client = inEnvironment === "" ? realCaller(named, await loadReaders(named.id), call.env) : named;
  const found = nativeEvent(client, call.event);
  const fields = { ...client.fields, ...found?.event.fields };
  const payload = anyJson(text);
  const cwd = textAt(payload, fields.cwd) || call.cwd;
  return {
    client,
    found,
    sessionId: idAt(payload, fields.sessionId) || inEnvironment,
    cwd: isTooLong(cwd) ? call.cwd : cwd,
  };
}

/** JSON beyond the limits: no hook gets it, but it says which session it is of. */
function anyJson(text: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch {
    return undefined;
  }
}
