import type { Configuration } from "../../definition/configuration.ts";

export const GEMINI_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".gemini/settings.json",
      home: { variable: "GEMINI_CLI_HOME", replaces: "" },
      format: "jsonc",
      isStrict: false,
      empty: {},
    },
    { scope: "project", path: ".gemini/settings.json", format: "jsonc", isStrict: false, empty: {} },
  ],
  guarded: [".gemini/settings.json", ".gemini/trusted_hooks.json"],
  entry: {
    at: ["hooks", "$event"],
    entry: {
      matcher: "$matcher",
      hooks: [{ type: "command", name: "tenterhook", command: "$command", timeout: "$timeout" }],
    },
    timeoutUnit: "ms",
  },
  consent: {
    type: "trusted_folder",
    how: "a project's hooks have no effect until Gemini CLI trusts the folder, where its folder trust is on; it warns about new ones",
  },
  switches: [
    { path: ".gemini/settings.json", key: ["hooks", "enabled"], off: false },
    { path: ".gemini/settings.json", key: ["hooksConfig", "enabled"], off: false },
    // `/hooks disable tenterhook`.
    { path: ".gemini/settings.json", key: ["hooksConfig", "disabled"], off: "tenterhook" },
  ],
  shell: ["bash", "-c"],
  mergesIdentical: true,
};
