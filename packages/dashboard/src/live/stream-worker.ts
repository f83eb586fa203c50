// Runs as a shared worker: one connection for all tabs of a browser. A browser opens six connections to a server, and with a
// stream in every tab the seventh tab would wait forever.
import { EventStream, type StreamReport } from "./event-stream.ts";

/** Sent by a tab. A closed tab may not send `leave`; messages to it are dropped. */
export type TabMessage = "join" | "leave";

const tabs = new Set<MessagePort>();
let stream: EventStream | undefined;

self.addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (data === "join") join(port);
    else leave(port);
  });
  port?.start();
});

function join(port: MessagePort): void {
  tabs.add(port);
  stream ??= new EventStream((report) => {
    for (const tab of tabs) tab.postMessage(report);
  });
  port.postMessage({ type: "state", state: stream.state } satisfies StreamReport);
}

function leave(port: MessagePort): void {
  tabs.delete(port);
  if (tabs.size > 0) return;
  stream?.close();
  stream = undefined;
}
