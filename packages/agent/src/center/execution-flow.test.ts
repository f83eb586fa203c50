import { expect, test } from "vitest";
import { scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";

test.each(["runAgent", "streamAgent"] as const)(
  "%s goes through the eight steps in their order",
  async (way) => {
    const center = createAgentCenter();
    const order: string[] = [];
    // The number of background hooks shows whether they were launched; when they begin is not fixed.
    const note = (step: string) => order.push(`${step} (${center.backgroundHookCount} in the background)`);
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const answer = () => {
      note("agent");
      return "Hi!";
    };
    center.registerModel("gpt-4", scriptedModel([answer]));
    center.registerAgent({
      id: "assistant",
      name: "Assistant",
      description: "",
      modelName: "gpt-4",
      instructions: "",
      preHookNames: ["pre, later", "pre 1", "pre 2"],
      postHookNames: ["post, later", "post 1", "post 2"],
    });
    for (const name of ["pre 1", "pre 2"]) center.registerPreHook({ name }, async () => void note(name));
    for (const name of ["post 1", "post 2"]) center.registerPostHook({ name }, async () => void note(name));
    center.registerPreHook({ name: "pre, later", blocking: false }, () => opened);
    center.registerPostHook({ name: "post, later", blocking: false }, () => opened);

    const request = { session: center.createSession("assistant"), message: "Hello!" };
    const run =
      way === "runAgent"
        ? await center.runAgent(request)
        : await (await center.streamAgent(request)).finished;
    note("returned");

    expect(run).toMatchObject({ status: "completed", output: "Hi!" });
    expect(order).toEqual([
      "pre 1 (0 in the background)",
      "pre 2 (0 in the background)",
      "agent (1 in the background)",
      "post 1 (1 in the background)",
      "post 2 (1 in the background)",
      "returned (2 in the background)",
    ]);
    open();
    await center.waitForBackgroundHooks();
  },
);
