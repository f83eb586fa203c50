import type { Configuration } from "../../definition/configuration.ts";

export const OPENCODE_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".config/opencode/plugin/tenterhook.js",
      home: { variable: "XDG_CONFIG_HOME", replaces: ".config" },
      format: "plugin",
      isStrict: false,
    },
    { scope: "project", path: ".opencode/plugin/tenterhook.js", format: "plugin", isStrict: false },
  ],
  guarded: [".config/opencode/plugin", ".config/opencode/plugins", ".opencode/plugin", ".opencode/plugins"],
  // The file is the plugin itself, see `pluginText`.
  entry: { at: [], entry: "$command", timeoutUnit: "ms" },
  mergesIdentical: false,
};
