import { defineCommand } from "../command.ts";
import { switchHook } from "../manage/switch-hook.ts";

export const enforce = defineCommand({
  usage: "enforce NAME|PATH [--off]",
  about:
    "Enforces a hook that has enforce: false, also one of a project: from now on it blocks, changes and asks. With --off it is called and what it\n" +
    "would have done is recorded, and changes nothing. Written to your own hooks.toml. Works only on a terminal, not inside an agent.",
  options: {
    off: { type: "boolean", about: "record what the hook would have done, and let it change nothing" },
  },
  arguments: { min: 1, max: 1 },
  examples: [
    { command: "tenterhook enforce no-force-push", means: "it has been tried long enough" },
    { command: "tenterhook enforce no-force-push --off", means: "try it on what really happens first" },
  ],
  run({ json, off }, [given = ""]) {
    return switchHook(given, "enforce", !off, json);
  },
});
