import type { Configuration } from "../../definition/configuration.ts";

export const QWEN_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".qwen/settings.json",
      home: { variable: "QWEN_HOME", replaces: ".qwen" },
      format: "jsonc",
      isStrict: false,
      empty: {},
    },
    { scope: "project", path: ".qwen/settings.json", format: "jsonc", isStrict: false, empty: {} },
  ],
  guarded: [".qwen/settings.json"],
  entry: {
    at: ["hooks", "$event"],
    entry: {
      matcher: "$matcher",
      hooks: [{ type: "command", command: "$command", timeout: "$timeout" }],
    },
    timeoutUnit: "ms",
  },
  switches: [{ path: ".qwen/settings.json", key: ["disableAllHooks"], off: true }],
  shell: ["bash", "-c"],
  mergesIdentical: false,
};
