import { bridge } from "@tenterhook/bridges/bridge";
import { type About, type CallHead, formatAnswer, formatDecision } from "@tenterhook/bridges/resident";
import { type BridgeOptions, readOptions } from "../bridge/options.ts";
import { readProcessAge } from "../bridge/process-age.ts";
import { readText } from "../bridge/read-text.ts";
import { startJob } from "../bridge/start-job.ts";
import { watchProcess } from "../bridge/watch-process.ts";
import type { Connection } from "./connection.ts";
import { FrontProcess } from "./front-process.ts";

/** Why a call is left to the cold bridge; `undefined` if it is answered here. */
export type WhyCold = (head: CallHead, options: BridgeOptions) => Promise<string | undefined>;

/** Why the signal of a call is aborted. One for all calls: to make an error takes longer than to read a file. */
const OVER = new Error("the call is over");

/**
 * Answers a call as the cold bridge would, or declines it before the client's text is sent. When nobody waits for the answer any more, its
 * hooks are ended, and nothing is sent. Resolves with whether it was answered.
 */
export async function serveCall(
  head: CallHead,
  connection: Connection,
  about: About,
  whyCold: WhyCold,
): Promise<boolean> {
  const options = readOptions(head.args, head.env);
  const front = new FrontProcess(head.front);
  const age = readProcessAge(head.caller);
  if (age === undefined || (await whyCold(head, options)) !== undefined) {
    connection.end(formatDecision(about));
    return false;
  }
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(OVER);
  connection.onceEnded(abort);
  const unwatch = watchProcess(head.caller, abort);
  try {
    connection.send(formatDecision(about, front.name));
    const stdin = (leftMs: number) =>
      connection
        .readText((text) => readText(text, leftMs))
        .finally(() => {
          // Another process asks than the one whose rights were compared.
          if (!front.hasName()) abort();
          signal.throwIfAborted();
        });
    const answer = await runBridge(head, options, stdin, age, signal);
    signal.throwIfAborted();
    connection.end(formatAnswer(answer));
    return true;
  } finally {
    unwatch();
    // As when a process ends: whatever still runs of this call ends with it.
    abort();
  }
}

function runBridge(
  head: CallHead,
  options: BridgeOptions,
  stdin: (leftMs: number) => Promise<string>,
  age: number,
  signal: AbortSignal,
): ReturnType<typeof bridge> {
  const { client, event, entry, timeoutMs, env } = options;
  const { cwd, caller } = head;
  return bridge({
    client,
    event,
    ...(entry !== undefined && { entry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    // The client waits since it has started the script, as far as this can be known.
    waitingSince: performance.now() - age,
    stdin,
    cwd,
    env,
    signal,
    waitingProcess: caller,
    startJob: (path) => startJob(path, options, cwd),
  });
}
