import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { DROID_CONFIGURATION } from "./configuration.ts";
import { DROID_EVENTS } from "./events.ts";
import { DROID_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "droid",
  name: "Factory droid",
  aliases: ["factory", "factory-droid", "factory-ai", "droid-cli"],
  program: { command: "droid", versionArguments: ["--version"] },
  known: {
    version: "0.225.2",
    found: {
      measured: { version: "0.225.2", date: "2026-11-15" },
      source: { version: "0.225.2", date: "2026-11-16" },
      documented: { date: "2026-07-24" },
    },
  },
  environment: {
    markers: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT"],
    hookMarkers: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    project: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    settings: ["FACTORY_API_KEY", "FACTORY_HOME_OVERRIDE", "FACTORY_DROID_AUTO_UPDATE_ENABLED"],
  },
  readsFilesOf: [],
  configuration: DROID_CONFIGURATION,
  timeout: { default: 60_000, asked: 600_000 },
  fields: COMMON_FIELDS,
  events: DROID_EVENTS,
  tools: DROID_TOOLS,
  promptlessModes: [],
  reportsBlockedTools: false,
  limits: [
    "A changed input counts as approved, so it is refused unless the hook says can_approve.",
    "A hook that asks the person refuses the call.",
    "A session cannot be refused when it starts; its tools are refused instead.",
    "droid exec does not deliver prompts, so that a hook of before_agent is not asked there and refuses none: guard before_tool.",
    "What a hook adds for the model before a tool reaches it after the tool.",
    "Failing tools have no event of their own.",
  ],
  noticeLimit:
    "A failed hook that lets the call pass is named after the tool has run, and on a terminal only.",
});
