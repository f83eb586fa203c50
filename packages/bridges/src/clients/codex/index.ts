import { defineClient } from "../../definition/client.ts";
import { COMMON_FIELDS } from "../../definition/common-fields.ts";
import { CODEX_CONFIGURATION } from "./configuration.ts";
import { CODEX_EVENTS } from "./events.ts";
import { CODEX_TOOLS } from "./tools.ts";

export const client = defineClient({
  id: "codex",
  name: "Codex CLI",
  aliases: ["codex-cli", "openai-codex", "openai"],
  program: { command: "codex", versionArguments: ["--version"] },
  known: {
    version: "0.166.0",
    found: {
      measured: { version: "0.166.0", date: "2026-11-15" },
      source: { version: "343074d4", date: "2026-08-22" },
    },
    live: {
      processors: { arm64: { version: "0.166.0", date: "2026-11-16" } },
      shows: [
        "refuse_tool",
        "change_input",
        "ask",
        "object",
        "replace_result",
        "refuse_prompt",
        "keep_running",
        "add_context",
      ],
    },
  },
  environment: {
    markers: ["CODEX_*"],
    hookMarkers: [],
    project: [],
    settings: ["CODEX_HOME", "CODEX_SQLITE_HOME", "CODEX_API_KEY"],
  },
  readsFilesOf: [],
  configuration: CODEX_CONFIGURATION,
  timeout: { default: 600_000, asked: 600_000 },
  fields: COMMON_FIELDS,
  events: CODEX_EVENTS,
  tools: CODEX_TOOLS,
  promptlessModes: ["bypassPermissions"],
  reportsBlockedTools: false,
  unseenInput: "write_stdin",
  limits: [
    "What is typed into a program that runs (write_stdin) is not shown to hooks. Where a hook guards Shell, the start of a shell, an interpreter or another program that runs what is typed is refused; a program that hides what it starts is not recognised.",
    "Files are read through the shell, so a guard of ReadFile, Glob or Grep is never asked; guard Shell too.",
    "A patch that is applied by a shell command is a call of Shell; a guard of files does not see it.",
    "There is no way to ask the person, so a hook that asks refuses.",
    "A changed input counts as approved, so it is refused unless the hook says can_approve or Codex asks nothing anyway.",
    "A failing tool and a session that cannot be refused have no event of their own.",
    "Codex skips hooks that are not recorded as trusted, silently.",
  ],
  noticeLimit:
    "`codex exec` shows no messages of hooks: a failed hook that lets the call pass is named on a terminal only.",
});
