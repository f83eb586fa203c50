import type { Configuration } from "../../definition/configuration.ts";

export const CODEX_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".codex/hooks.json",
      home: { variable: "CODEX_HOME", replaces: ".codex" },
      format: "json",
      isStrict: true,
      empty: { hooks: {} },
    },
    { scope: "project", path: ".codex/hooks.json", format: "json", isStrict: true, empty: { hooks: {} } },
  ],
  guarded: [".codex/hooks.json", ".codex/config.toml"],
  entry: {
    at: ["hooks", "$event"],
    entry: {
      matcher: "$matcher",
      hooks: [{ type: "command", command: "$command", timeout: "$timeout" }],
    },
    timeoutUnit: "s",
  },
  consent: { type: "codex_hash" },
  switches: [{ path: ".codex/config.toml", key: ["features", "hooks"], off: false }],
  shell: ["$SHELL", "-lc"],
  mergesIdentical: false,
};
