import type { Configuration } from "../../definition/configuration.ts";

export const DROID_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".factory/hooks.json",
      home: { variable: "FACTORY_HOME_OVERRIDE", replaces: "" },
      format: "json",
      isStrict: false,
      empty: {},
    },
    { scope: "project", path: ".factory/hooks.json", format: "json", isStrict: false, empty: {} },
  ],
  guarded: [
    ".factory/hooks",
    ".factory/hooks.json",
    ".factory/settings.json",
    ".factory/settings.local.json",
  ],
  entry: {
    at: ["$event"],
    entry: {
      matcher: "$matcher",
      hooks: [{ type: "command", command: "$command", timeout: "$timeout" }],
    },
    timeoutUnit: "s",
  },
  mergesIdentical: false,
};
