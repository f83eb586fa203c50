import type { NodeSandbox } from "../node-sandbox.ts";
import { checkBridge } from "./bridge.ts";
import { checkCommand } from "./command.ts";
import { checkCoordinator } from "./coordinator.ts";

/** Rejects if something does not work; may return what was counted. */
export type Check = (sandbox: NodeSandbox) => Promise<string | undefined>;

/** The check of the installed guard. */
export const BRIDGE_CHECK = "the installed bridge refuses by a script and lets the rest pass";

/** What every version of Node must be able to do, by a sentence that could be false. */
export const CHECKS = {
  "every entry point can be imported": (sandbox) => sandbox.program("import-entry-points"),
  "the engine follows its conformance rows": (sandbox) => sandbox.program("conformance"),
  "the command writes, lists, checks, tests and tries a hook": checkCommand,
  [BRIDGE_CHECK]: checkBridge,
  "a coordinator and a runner complete a run": checkCoordinator,
} satisfies Readonly<Record<string, Check>>;
