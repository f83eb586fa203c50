import type { Configuration } from "../../definition/configuration.ts";

export const CLAUDE_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".claude/settings.json",
      home: { variable: "CLAUDE_CONFIG_DIR", replaces: ".claude" },
      format: "json",
      isStrict: false,
      empty: {},
    },
    { scope: "project", path: ".claude/settings.json", format: "json", isStrict: false, empty: {} },
    {
      scope: "project-local",
      path: ".claude/settings.local.json",
      format: "json",
      isStrict: false,
      empty: {},
    },
  ],
  guarded: [".claude/settings.json", ".claude/settings.local.json"],
  entry: {
    at: ["hooks", "$event"],
    entry: {
      matcher: "$matcher",
      hooks: [{ type: "command", command: "$command", timeout: "$timeout" }],
    },
    timeoutUnit: "s",
    failClosed: { onFailure: "block" },
  },
  switches: [
    { path: ".claude/settings.json", key: ["disableAllHooks"], off: true },
    { path: ".claude/settings.local.json", key: ["disableAllHooks"], off: true },
  ],
  mergesIdentical: true,
};
