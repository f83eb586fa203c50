import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { bridge } from "@tenterhook/bridges/bridge";
import {
  formatResponse,
  type RequestHead,
  type ResidentAnswer,
  textName,
} from "@tenterhook/bridges/resident";
import { type BridgeOptions, readOptions } from "../bridge/options.ts";
import { readText, receiveText } from "../bridge/read-text.ts";
import { startJob } from "../bridge/start-job.ts";
import { readProcessAge } from "./process-facts.ts";
import { watchCaller } from "./watch-caller.ts";

export interface CallServer {
  readonly secret: string;
  /** Where the text of a declined call is stored. */
  readonly folder: string;
  /** Why a call is left to the cold bridge; `undefined` if it is answered here. */
  whyCold(head: RequestHead, options: BridgeOptions): Promise<string | undefined>;
}

/** A client may send the text of a declined call for this long. */
const LONGEST_TEXT_MS = 60 * 60 * 1000;

/** Answers a call as the cold bridge would. When nobody waits for the answer any more, its hooks are ended, and nothing is sent. */
export async function serveCall(
  head: RequestHead,
  request: IncomingMessage,
  response: ServerResponse,
  server: CallServer,
): Promise<void> {
  const controller = new AbortController();
  const unwatch = watchCaller(head.caller, response, () => controller.abort());
  try {
    const answer = await answerCall(head, request, server, controller.signal);
    controller.signal.throwIfAborted();
    const body = formatResponse(server.secret, answer);
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(body);
  } catch {
    // Without an answer the front decides by the list of known guards.
    response.destroy();
  } finally {
    unwatch();
    // As when a process ends: whatever still runs of this call ends with it.
    controller.abort();
  }
}

async function answerCall(
  head: RequestHead,
  request: IncomingMessage,
  server: CallServer,
  signal: AbortSignal,
): Promise<ResidentAnswer> {
  const options = readOptions(head.args, head.env);
  const age = readProcessAge(head.caller);
  if (age === undefined || (await server.whyCold(head, options)) !== undefined) {
    const { bytes } = await receiveText(request, LONGEST_TEXT_MS);
    endSender(head, request);
    signal.throwIfAborted();
    const text = textName(randomUUID());
    writeFileSync(join(server.folder, text), bytes, { mode: 0o600, flag: "wx" });
    return { type: "cold", text };
  }
  const { client, event, entry, timeoutMs, env } = options;
  // The folder may have been removed while the agent was in it.
  const cwd = head.cwd || (env.PWD ?? "/");
  const answer = await bridge({
    client,
    event,
    ...(entry !== undefined && { entry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    // The client waits since it has started the script, as far as this can be known.
    waitingSince: performance.now() - age,
    stdin: (leftMs) => readText(request, leftMs).finally(() => endSender(head, request)),
    cwd,
    env,
    signal,
    waitingProcess: head.caller,
    startJob: (path) => startJob(path, options, cwd),
  });
  return { type: "answer", ...answer };
}

/** The client may leave its pipe open: then what sends the text waits for more, and the front for what sends it. */
function endSender({ sender }: RequestHead, request: IncomingMessage): void {
  if (request.complete) return;
  try {
    // Its number could be another process's by now.
    if (readFileSync(`/proc/${sender}/comm`, "utf8") === "cat\n") process.kill(sender, "SIGTERM");
  } catch {
    // It has ended.
  }
}
