import { defineCommand } from "../command.ts";
import { switchHook } from "../manage/switch-hook.ts";

export const enable = defineCommand({
  usage: "enable NAME|PATH",
  about: "Enables a disabled hook in your own hooks.toml. Works only on a terminal, not inside an agent.",
  options: {},
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook enable no-force-push", means: "after: tenterhook disable no-force-push" },
  ],
  run({ json }, [given = ""]) {
    return switchHook(given, "enabled", true, json);
  },
});
