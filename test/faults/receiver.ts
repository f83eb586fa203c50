import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { TestContext } from "vitest";

/** Answers that no coordinator should take: JSON nested too deep, and JSON that does not end for long. */
const UNUSABLE: Readonly<Record<string, string>> = {
  "/deep": `{"action":"continue","parameters":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
  "/huge": `{"action":"continue","parameters":{"a":"${"x".repeat(4_000_000)}"}}`,
};

/** Takes the calls of http start hooks: every one adds 1 to `count`, however often it is called about the same. */
export async function startReceiver(atEnd: TestContext["onTestFinished"]): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((input) => {
      const { parameters } = input as { readonly parameters: { readonly count: number } };
      const answer = { action: "continue", parameters: { count: parameters.count + 1 } };
      const unusable = UNUSABLE[request.url ?? ""];
      response.setHeader("content-type", "application/json").end(unusable ?? JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
