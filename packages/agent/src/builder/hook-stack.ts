import { HookStack as EngineStack } from "@tenterhook/engine/stack";
import type { HookContext } from "./contexts.ts";
import type { HookOutcome } from "./hook-outcome.ts";

/** Hooks around a terminal function, without an agent. A value: `with` returns a new stack. */
export class HookStack extends EngineStack<HookContext, HookOutcome> {}
