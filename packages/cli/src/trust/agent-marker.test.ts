import { loadClients } from "@tenterhook/bridges";
import { expect, test } from "vitest";
import { agentMarker } from "./agent-marker.ts";

/** A variable that `name` stands for. */
const variable = (name: string) => name.replace("*", "ANYTHING");

test("every mark of every client is known, and no setting that people keep in their profile counts as one", async () => {
  for (const { environment } of await loadClients()) {
    for (const name of environment.markers.map(variable))
      expect(await agentMarker({ [name]: "1" })).toBe(`${name} is set`);
    for (const name of environment.settings.map(variable))
      expect([name, await agentMarker({ [name]: "1" })]).toEqual([name, undefined]);
  }
});

test("a client either marks what it starts by a variable, or is known by its program", async () => {
  for (const { id, environment } of await loadClients())
    expect([id, [...environment.markers, ...(environment.programs ?? [])]]).toEqual([
      id,
      expect.arrayContaining([expect.any(String)]),
    ]);
});

test.each([
  "CODEX_SANDBOX",
  "CLAUDE_CODE_SESSION_ID",
  "COPILOT_HOOK_DIR",
  "CURSOR_AGENT",
  "TENTERHOOK_EVENT",
])("%s shows an agent, unless it is empty", async (name) => {
  expect(await agentMarker({ [name]: "1" })).toBe(`${name} is set`);
  expect(await agentMarker({ [name]: "" })).toBeUndefined();
});

test.each(["COPILOT_GITHUB_TOKEN", "COPILOT_ALLOW_ALL", "COPILOT_AUTO_UPDATE", "CLAUDE_CODE_OAUTH_TOKEN"])(
  "%s is a setting that people keep in their profile, and shows no agent",
  async (name) => {
    expect(await agentMarker({ [name]: "1" })).toBeUndefined();
  },
);

test("a variable that only begins with the name of a mark shows none", async () => {
  expect(await agentMarker({ CLAUDECODE_THEME: "dark", GEMINI_CLI_THEME: "dark" })).toBeUndefined();
});
