import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Responses that a coordinator must refuse: JSON that is nested too deep or too long. */
const UNUSABLE: Readonly<Record<string, string>> = {
  "/deep": `{"action":"continue","parameters":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
  "/huge": `{"action":"continue","parameters":{"a":"${"x".repeat(4_000_000)}"}}`,
};

/** Calls to this path get no response. */
const SILENT = "/silent";

/** Receives the calls of http start hooks; each response adds 1 to `count`, also for repeated calls. */
export async function startReceiver(onEnd: (end: () => void) => void): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === SILENT) return;
    void json(request).then((input) => {
      const { parameters } = input as { readonly parameters: { readonly count: number } };
      const answer = { action: "continue", parameters: { count: parameters.count + 1 } };
      const unusable = UNUSABLE[request.url ?? ""];
      response.setHeader("content-type", "application/json").end(unusable ?? JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
