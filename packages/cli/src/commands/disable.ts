import { defineCommand } from "../command.ts";
import { switchHook } from "../manage/switch-hook.ts";

export const disable = defineCommand({
  usage: "disable NAME|PATH",
  about:
    "Disables a hook in your own hooks.toml, also one of a project, and confirms it: coding agents are refused what a guard of yours checked\n" +
    "if that file disables it in any other way. Works only on a terminal, not inside an agent.",
  options: {},
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook disable no-force-push", means: "until: tenterhook enable no-force-push" },
  ],
  run({ json }, [given = ""]) {
    return switchHook(given, "enabled", false, json);
  },
});
