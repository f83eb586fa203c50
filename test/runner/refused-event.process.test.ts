import { ApiClient, TestRunner } from "@tenterhook/test-support";
import { expect, onTestFinished, test } from "vitest";
import { EventOutbox } from "../../packages/runner/src/events/event-outbox.ts";
import { ConnectionStatus } from "../../packages/runner/src/link/connection-status.ts";
import { CoordinatorLink } from "../../packages/runner/src/link/coordinator-link.ts";
import { LocalFleet } from "../coordinator/local-fleet.ts";

test("a runner neither repeats a report of which one event is refused, nor loses the others", async () => {
  const fleet = await LocalFleet.start({ url: undefined });
  await fleet.put({ name: "plain", type: "procedural", command: ["cat"] });
  await fleet.demand("POST", "/runs", { agent_name: "plain", parameters: {} });
  const { url, token } = fleet.served;
  const runner = await TestRunner.register(new ApiClient(url, token));
  const { run_id: runId, lease_token: leaseToken } = await runner.claim();
  const link = new CoordinatorLink({ url, token }, new ConnectionStatus(() => {}));
  onTestFinished(() => link.close());
  const sent: number[] = [];
  const outbox = new EventOutbox((first, events) => {
    sent.push(events.length);
    return link.reportEvents({ runId, leaseToken }, first, events, new AbortController().signal);
  });
  const say = (text: string) => outbox.add({ type: "log", data: { text } });
  say("before it");
  // What another version, or a defect, would report.
  outbox.add({ type: "hook_acted", data: { event: "before_tool", hook: "guard", action: 7 } } as never);
  say("after it");
  await outbox.flush();
  say("later");
  await outbox.flush();
  const { events } = await fleet.demand<{ events: object[] }>("GET", `/runs/${runId}/events`);
  expect(events.slice(-4)).toMatchObject([
    { text: "before it" },
    { event_type: "events_dropped", count: 1, reason: expect.stringMatching(/^hook_acted: data\.action: /) },
    { text: "after it" },
    { text: "later" },
  ]);
  expect(sent).toEqual([3, 1]);
});
