// Checked by the compiler: every line that must not compile is marked, and the build fails when one does.
import { block, proceed, skip } from "@tenterhook/engine";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { createAgentCenter } from "./agent-center.ts";
import type { AgentConfiguration } from "./agent-file.ts";
import type { AgentSessionContext } from "./agent-run.ts";

const center = createAgentCenter();
const session = center.createSession("assistant");

// Pre- and post-hooks have the parameters of their kind.
center.registerPreHook({ name: "a" }, (context) => {
  expectTypeOf(context.agent).toEqualTypeOf<AgentConfiguration>();
  expectTypeOf(context.session).toEqualTypeOf<AgentSessionContext>();
  // @ts-expect-error a context is changed by what a hook returns
  context.userMessage = "Bye!";
});
center.registerPostHook({ name: "a" }, (_context, run) => {
  expectTypeOf(run.duration).toEqualTypeOf<number>();
});
// @ts-expect-error before the agent there is no run
center.registerPreHook({ name: "a" }, (_context, run) => run);

// They may answer what their event has.
center.registerPreHook({ name: "b" }, () => proceed({ message: "Hello!" }));
center.registerPreHook({ name: "c" }, async () => block("no"));
// @ts-expect-error a turn cannot be skipped
center.registerPreHook({ name: "d" }, () => skip());
// @ts-expect-error a message is a text
center.registerPreHook({ name: "e" }, () => proceed({ message: 5 }));
// @ts-expect-error the run is over
center.registerPostHook({ name: "b" }, () => proceed({ message: "Hello!" }));

// A run has the type of the shape that is asked for.
const run = center.runAgent({ session, message: "Hello!" });
expectTypeOf(run).resolves.toHaveProperty("output").toEqualTypeOf<string | undefined>();
const shaped = center.runAgent({ session, message: "Hello!", as: z.object({ celsius: z.number() }) });
expectTypeOf(shaped).resolves.toHaveProperty("output").toEqualTypeOf<{ celsius: number } | undefined>();
const { finished } = await center.streamAgent({ session, message: "Hello!" });
expectTypeOf(finished).resolves.toHaveProperty("duration").toEqualTypeOf<number>();

// What an agent has by its configuration is not an option of the center.
// @ts-expect-error
createAgentCenter({ instructions: "You are a helpful assistant" });
