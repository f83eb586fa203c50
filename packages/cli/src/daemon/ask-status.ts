import { request } from "node:http";
import type { ResidentFiles } from "@tenterhook/bridges/resident";
import { isRunning } from "@tenterhook/internal/files";
import { readAbout } from "./read-about.ts";

/** What a resident process reports of itself. */
export interface DaemonReport {
  readonly pid: number;
  /** When it began, as an ISO date. */
  readonly since: string;
  /** How many calls it has answered. */
  readonly calls: number;
  /** How many it is answering. */
  readonly active: number;
}

export type DaemonStatus =
  | ({ readonly type: "running" } & DaemonReport)
  /** Its process exists, and does not answer. */
  | { readonly type: "silent"; readonly pid: number }
  | { readonly type: "none" };

/** How long the resident process has for its answer. */
const ANSWER_MS = 2_000;

/** Asks the resident process of a folder how it is. It never throws. */
export async function askStatus(files: ResidentFiles): Promise<DaemonStatus> {
  const about = readAbout(files);
  if (about === undefined || !isRunning(about.pid)) return { type: "none" };
  try {
    const report = JSON.parse(await get(files.socket, about.secret)) as DaemonReport;
    return { type: "running", ...report };
  } catch (error) {
    // Nothing listens there: the number is another process's by now.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED" || code === "ENOENT") return { type: "none" };
    return { type: "silent", pid: about.pid };
  }
}

function get(socketPath: string, secret: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "tenterhook-secret": secret, connection: "close" };
    const asked = request({ socketPath, path: "/status", headers, timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(chunks).toString())
          : reject(new Error(`status ${response.statusCode}`)),
      );
      response.on("error", reject);
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer"))).on("error", reject);
    asked.end();
  });
}
