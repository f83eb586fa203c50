import { expect, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerWorld } from "./runner-world.ts";

test("a command is carried out", async () => {
  const coordinator = await CoordinatorDouble.start();
  const world = new RunnerWorld(coordinator);
  await world.start();
  const run = coordinator.offer({ command: ["sh", "-c", "echo working >&2; cat"] }, { parameters: { a: 1 } });
  const { kind, body } = await coordinator.ending(run);
  console.log(kind, body, coordinator.eventsOf(run), world.lines);
  const run2 = coordinator.offer(
    {
      type: "autonomous",
      model: {
        provider: "scripted",
        script: [{ text: "hm", toolCalls: [{ name: "Shell", input: { command: "echo hi" } }] }, "All done."],
      },
      tools: ["Shell"],
    },
    { parameters: { message: "Go" } },
  );
  console.log(await coordinator.ending(run2), coordinator.eventsOf(run2), world.lines);
});
