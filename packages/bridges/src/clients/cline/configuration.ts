import type { Configuration } from "../../definition/configuration.ts";

export const CLINE_CONFIGURATION: Configuration = {
  // `$event` is the name of the event: each has a file of its own, which another tool may have written already.
  files: [
    {
      scope: "user",
      path: ".cline/hooks/$event",
      home: { variable: "CLINE_DIR", replaces: ".cline" },
      format: "script",
      isStrict: false,
    },
    { scope: "project", path: ".cline/hooks/$event", format: "script", isStrict: false },
  ],
  guarded: [".cline/hooks", ".clinerules/hooks"],
  // The file is a script that starts the command, see `scriptText`.
  entry: { at: [], entry: "$command", timeoutUnit: "s" },
  mergesIdentical: false,
};
