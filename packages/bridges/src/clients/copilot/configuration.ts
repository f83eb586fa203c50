import type { Configuration } from "../../definition/configuration.ts";

export const COPILOT_CONFIGURATION: Configuration = {
  files: [
    {
      scope: "user",
      path: ".copilot/hooks/tenterhook.json",
      home: { variable: "COPILOT_HOME", replaces: ".copilot" },
      format: "json",
      isStrict: false,
      empty: { version: 1, hooks: {} },
    },
    {
      scope: "project",
      path: ".github/hooks/tenterhook.json",
      format: "json",
      isStrict: false,
      empty: { version: 1, hooks: {} },
    },
  ],
  guarded: [
    ".copilot/hooks",
    ".copilot/settings.json",
    ".copilot/settings.local.json",
    ".github/hooks",
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
  ],
  entry: {
    at: ["hooks", "$event"],
    entry: { type: "command", bash: "$command", timeoutSec: "$timeout" },
    timeoutUnit: "s",
  },
  consent: {
    type: "trusted_folder",
    how: "a project's hooks have no effect until Copilot trusts the folder: start copilot in it and agree",
  },
  shell: ["bash", "-c"],
  mergesIdentical: false,
};
