import type { ServerResponse } from "node:http";
import { isRunning } from "@tenterhook/internal/files";

/** How often it is checked whether the caller still runs. */
const CHECK_MS = 100;

/**
 * Calls `ended` once nobody waits for the response: the installed script is gone, or the connection was closed. Returns the function that
 * stops watching.
 */
export function watchCaller(caller: number, response: ServerResponse, ended: () => void): () => void {
  const check = () => {
    if (!isRunning(caller)) ended();
  };
  const timer = setInterval(check, CHECK_MS);
  response.once("close", ended);
  return () => {
    clearInterval(timer);
    response.removeListener("close", ended);
  };
}
