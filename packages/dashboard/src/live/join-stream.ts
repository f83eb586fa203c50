import { EventStream, type StreamReport } from "./event-stream.ts";
import type { TabMessage } from "./stream-worker.ts";

/**
 * Joins the stream that all tabs of this browser share, or opens one for this tab where the browser has no shared workers.
 * Returns a function that leaves it.
 */
export function joinStream(report: (report: StreamReport) => void): () => void {
  if (typeof SharedWorker === "undefined") return openOwn(report);
  const worker = new SharedWorker(new URL("./stream-worker.ts", import.meta.url), { type: "module" });
  const post = (message: TabMessage) => worker.port.postMessage(message);
  let leave = () => {
    post("leave");
    worker.port.close();
  };
  // The worker's code could not be loaded.
  worker.addEventListener("error", () => {
    worker.port.close();
    leave = openOwn(report);
  });
  worker.port.addEventListener("message", ({ data }: MessageEvent<StreamReport>) => report(data));
  worker.port.start();
  post("join");
  return () => leave();
}

function openOwn(report: (report: StreamReport) => void): () => void {
  const stream = new EventStream(report);
  return () => stream.close();
}
