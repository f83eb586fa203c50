import { loadReaders } from "../../clients/index.ts";
import type { Client } from "../../definition/client.ts";
import { realCaller } from "./caller.ts";
import { findDeadline } from "./deadline.ts";
import { locateCall } from "./locate-call.ts";
import {
  isIgnored,
  isTooLong,
  type NativePayload,
  nativeEvent,
  readPayload,
  UnreadableCall,
} from "./native-call.ts";
import type { BridgeCall, OpenCall } from "./open-call.ts";
import { isProbeSession } from "./probe-session.ts";

/** A call, and what of it was read so far: the answer to a failure needs that. */
export interface ReceivedCall {
  /** The client that the command line names. */
  readonly named: Client;
  call: BridgeCall;
  /** What the client sent, if it was received. */
  text: string | undefined;
  /** The payload, if it could be read: then only its content could not be. */
  native: NativePayload | undefined;
}

/** Reads a call; `undefined` for one that does not mean what its event says. Throws `BadPayload` and `UnreadableCall`. */
export async function readCall(received: ReceivedCall): Promise<OpenCall | undefined> {
  received.text = await readText(received.named, received.call);
  const native = await readNative(received.named, received.call, received.text);
  received.native = native;
  if (isTooLong(native.cwd)) throw new UnreadableCall("its working folder has too long a path");
  if (isIgnored(native) || native.event.events.length === 0) return undefined;
  if (isProbeSession(native.sessionId)) {
    const { inProbeFolders } = await import("./probe-folders.ts");
    received.call = inProbeFolders(received.call, native.sessionId);
  }
  const { call } = received;
  const deadlineMs = findDeadline(native.client, native.event, call.timeoutMs);
  return { call, native, location: locateCall(call, native), deadlineMs };
}

async function readText(
  client: Client,
  { event, stdin, timeoutMs, waitingSince }: BridgeCall,
): Promise<string> {
  if (typeof stdin === "string") return stdin;
  const deadlineMs = findDeadline(client, nativeEvent(client, event)?.event, timeoutMs);
  const now = performance.now();
  return stdin(Math.max(0, deadlineMs - (now - (waitingSince ?? now))));
}

async function readNative(named: Client, call: BridgeCall, text: string): Promise<NativePayload> {
  const native = readPayload(named, call.event, text, call.cwd);
  const { session } = named.environment;
  // The environment has the session of the payload: the named client calls.
  if (session === undefined || call.env[session] === native.sessionId) return native;
  const client = realCaller(named, await loadReaders(named.id), call.env);
  return client === named ? native : readPayload(client, call.event, text, call.cwd);
}
