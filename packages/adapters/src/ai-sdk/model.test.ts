import { createHooks } from "@tenterhook/engine";
import { ToolLoopAgent } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { withHooks } from "./with-hooks.ts";

test.each([
  ["its class", false],
  ["its own", true],
])("the URLs that a model supports, by a getter of %s, are read by the SDK alone", async (_whose, isOwn) => {
  let reads = 0;
  const get = () => {
    reads++;
    return Promise.reject(new Error("no list"));
  };
  const model = Object.assign(new MockLanguageModelV3({ supportedUrls: get }), { region: "north" });
  if (isOwn) Object.defineProperty(model, "supportedUrls", { get, enumerable: true });
  const hooks = createHooks();
  hooks.on("before_llm", () => undefined);
  const settings = withHooks({ model }, hooks);
  expect(settings.model).toHaveProperty("region", "north");
  expect(reads).toBe(0);
  // One that nobody awaits would end the process.
  await expect(new ToolLoopAgent(settings).generate({ prompt: "Hello" })).rejects.toThrow("no list");
  expect(reads).toBe(1);
});
