import { expect, test } from "vitest";
import { main } from "./example.ts";

test("the example refuses the dangerous command, and the agent continues", async () => {
  expect(await main()).toEqual(["this would destroy data", "ran: ls build", "I left the build alone."]);
});
