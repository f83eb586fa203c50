import type { Configuration } from "../../definition/configuration.ts";

export const KIMI_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".kimi-code/config.toml",
      home: { variable: "KIMI_CODE_HOME", replaces: ".kimi-code" },
      format: "toml",
      isStrict: true,
    },
  ],
  guarded: [".kimi-code/config.toml"],
  entry: {
    at: ["hooks"],
    entry: { event: "$event", matcher: "$matcher", command: "$command", timeout: "$timeout" },
    timeoutUnit: "s",
  },
  mergesIdentical: true,
};
