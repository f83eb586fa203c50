import { connect } from "node:net";
import {
  type About,
  formatMessage,
  formatStatusRequest,
  MessageReader,
  type ResidentFiles,
  readAbout,
} from "@tenterhook/bridges/resident";
import { isRunning } from "@tenterhook/internal/files";

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
  if (about === undefined) return { type: "none" };
  try {
    const report = JSON.parse(await request(files.socket, about)) as DaemonReport;
    return { type: "running", ...report };
  } catch (error) {
    // Nothing listens there: the number is another process's by now.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED" || code === "ENOENT") return { type: "none" };
    return isRunning(about.pid) ? { type: "silent", pid: about.pid } : { type: "none" };
  }
}

/** The response; rejects if it does not come from the process that wrote `about`. */
function request(path: string, about: About): Promise<string> {
  return new Promise((resolve, reject) => {
    const messages = new MessageReader();
    const socket = connect({ path });
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const fail = (error: Error) => finish(() => reject(error));
    const timer = setTimeout(fail, ANSWER_MS, new Error("no answer"));
    socket.on("error", fail).on("close", () => fail(new Error("no answer")));
    socket.on("data", (chunk) => {
      const [response] = messages.add(chunk);
      if (response === undefined) return;
      const [proof, report = ""] = response.toString().split("\n");
      if (proof === about.proof) finish(() => resolve(report));
      else fail(new Error("the answer is of another process"));
    });
    socket.write(formatMessage(formatStatusRequest(about)));
  });
}
