import { freshPostgres, PromisedResponses } from "@tenterhook/test-support";
import { expect, onTestFinished, test } from "vitest";
import { fuzz, limitMs, STORE_FLAGS, TooSlow, type Volume } from "./fuzz.ts";
import { answerProblem } from "./http/answer-problem.ts";
import { readDocument } from "./http/document.ts";
import { fuzzRequest } from "./http/fuzz-request.ts";
import { FuzzedCoordinator } from "./http/fuzzed-coordinator.ts";
import { rawRequest, sendRaw } from "./http/raw-request.ts";
import { sendRequest } from "./http/send-request.ts";

const VOLUME: Volume = { short: 100, share: 0.15, atOnce: 12 };
const RAW: Volume = { short: 30, share: 0.03, atOnce: 12 };
const MAX_MEMORY = 1024 ** 3;
/** After so many requests there is one more run that they can be about. */
const RENEWED_AFTER = 40;

async function survives(target: string, database?: string): Promise<void> {
  const coordinator = await FuzzedCoordinator.start(STORE_FLAGS, database);
  onTestFinished(() => coordinator.close());
  const document = await readDocument(coordinator.url);
  const promised = await PromisedResponses.of(coordinator.url);
  let sent = 0;
  await fuzz(target, VOLUME, fuzzRequest(document), async (request) => {
    if (++sent % RENEWED_AFTER === 0) await coordinator.renew();
    const names = coordinator.names(request.target);
    const answer = await sendRequest(coordinator.url, request, names, coordinator.credentials(request));
    // On a machine that has too much to do a coordinator is not ready, and says so.
    if (answer?.status === 503 && request.operation === "GET /readyz") throw new TooSlow(answer.text);
    const problem = answer && answerProblem(document, promised, request, answer);
    if (problem !== undefined) throw new Error(`${problem}\n${coordinator.errorOutput}`);
  });
  await fuzz(`${target} bytes`, RAW, rawRequest, async (request) => {
    const answer = await sendRaw(coordinator.url, request, coordinator.tokens.admin ?? "");
    if (/^HTTP\/1\.1 5/m.test(answer)) throw new Error(`${answer}\n${coordinator.errorOutput}`);
  });
  for (const path of ["/healthz", "/readyz", "/runs", "/agents", "/approvals", "/events/latest"]) {
    expect([path, (await coordinator.admin.get(path)).status]).toEqual([path, 200]);
  }
  expect(await coordinator.memory()).toBeLessThan(MAX_MEMORY);
}

test(
  "a coordinator with an embedded store answers every request soon, as documented, and only to authorised clients",
  () => survives("http"),
  limitMs("http", VOLUME) + limitMs("http bytes", RAW),
);

test(
  "a coordinator on PostgreSQL answers every request soon, as documented, and only to authorised clients",
  async () => survives("http postgres", await freshPostgres()),
  limitMs("http postgres", VOLUME) + limitMs("http postgres bytes", RAW),
);
