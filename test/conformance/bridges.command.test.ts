import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, loadClients } from "@tenterhook/bridges";
import { bridge } from "@tenterhook/bridges/bridge";
import type { EventName } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { type Fixture, fixtures } from "../../packages/bridges/src/testing/fixtures.ts";
import { type Effect, MEASURED } from "../../packages/bridges/src/testing/measured-clients.ts";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import type { Case, CaseHook } from "./case.ts";
import { DISPATCH_CASES } from "./dispatch-cases.ts";
import { EVENT_CASES } from "./event-rows.ts";
import { NOT_ENFORCED_CASES } from "./not-enforced-cases.ts";
import { PAYLOADS } from "./payloads.ts";
import { canBeWritten, lines, writeHook } from "./written-hooks.ts";

// The engine's rows once more, as a coding agent's own hook: a recorded payload goes in, and what the agent was measured to do with the
// answer is compared with what the row means.

const MOMENTS: Partial<Record<EventName, "tool" | "after" | "prompt" | "stop" | "session">> = {
  before_tool: "tool",
  after_tool: "after",
  before_agent: "prompt",
  before_stop: "stop",
  subagent_stop: "stop",
  session_start: "session",
};

/** Clients that show hooks that are not enforced, beside the one that shows everything. */
const TRIED = new Set(["codex", "copilot", "gemini"]);

const recorded = fixtures();
const clients = await loadClients();

describe.each(clients.map((client) => [client.name, client] as const))(
  "through the bridge of %s",
  (_, client) => {
    // Order and changes are settled before an answer is put into an agent's words: one agent shows them all.
    const more = client.id === "claude" ? DISPATCH_CASES : TRIED.has(client.id) ? NOT_ENFORCED_CASES : [];
    const cases = [...EVENT_CASES, ...more];
    const rows = cases.filter(isForBridges).flatMap((row) => {
      const fixture = fixtureFor(client, row.event);
      return fixture === undefined ? [] : [[row.name, row, fixture] as const];
    });

    test.each(rows)("%s", (_name, row, fixture) => checkRow(client, row, fixture));
  },
);

async function checkRow(client: Client, row: Case, fixture: Fixture): Promise<void> {
  const sandbox = new FileHooksSandbox();
  const log = sandbox.write(join(sandbox.root, "asked"), "");
  row.hooks.forEach((hook, index) => {
    writeHook(sandbox, index, row.event, hook, log);
  });
  const answer = await bridge({
    client: client.id,
    event: fixture.event,
    stdin: payloadFor(sandbox, row, fixture),
    cwd: sandbox.project,
    env: sandbox.env,
    // Some agents end a call after a second, which a busy machine needs to start a script.
    timeoutMs: 600_000,
  });
  const { outcome, action, reason, called, failed = {} } = logged(row);
  if (called !== undefined) expect(lines(log)).toEqual(called);
  const record = decisions(sandbox).find(({ event }) => event === row.event);
  if (action !== undefined && row.hooks.length > 0) expect(record?.action).toBe(action);
  if (outcome !== undefined && row.hooks.length > 0) expect(record?.outcome).toBe(outcome);
  if (reason !== undefined) expect(record?.reason).toContain(reason);
  const codes = record?.entries.filter(({ error }) => error !== undefined).map(({ hook }) => hook) ?? [];
  // A question that nobody may be asked is not a failure of its hook: the reason says why.
  const failures = asks(row) ? [] : Object.keys(failed);
  expect([...new Set(codes)].sort()).toEqual(failures.sort());
  const { notEnforced } = row.expect;
  if (notEnforced !== undefined)
    expect(
      Object.fromEntries(
        record?.entries
          .filter(({ verdict }) => verdict.startsWith("would_"))
          .map(({ hook, verdict }) => [hook, verdict]) ?? [],
      ),
    ).toEqual(notEnforced);
  const moment = MOMENTS[row.event];
  if (moment === undefined) return;
  const effect = MEASURED[client.id]?.(moment, answer, fixture.event);
  expect([0, 2]).toContain(answer.exit);
  if (effect !== undefined) checkEffect(client, row, fixture, effect);
}

/** What the log has of a row. No agent takes a changed prompt back: the bridge refuses it after the hooks had no objection. */
function logged({ event, hooks, expect: expected }: Case): Case["expect"] {
  const isChanged = event === "before_agent" && hooks.some(changes);
  return isChanged && expected.action === "go_on"
    ? { ...expected, outcome: "block", action: "refuse" }
    : expected;
}

/** What a row means to the agent, where it has the capability. */
function checkEffect(client: Client, row: Case, { event, stdin }: Fixture, effect: Effect): void {
  const native = client.events[client.eventAliases?.[event] ?? event];
  const { block } = native?.waits === false ? {} : (native?.capabilities ?? {});
  const isSure = block?.evidence === "live" || block?.evidence === "measured";
  const moment = MOMENTS[row.event];
  const { action, outcome } = row.expect;
  const isRefused =
    action === "refuse" ||
    action === "hold" ||
    outcome === "block" ||
    (outcome === "stop" && moment !== "stop");
  const isChanged = row.hooks.some(changes);
  if (!isRefused && moment === "tool" && (asks(row) || isChanged)) {
    // A question, or a change: never the call as it was, without a word.
    expect(effect.action !== "ran" || effect.input !== undefined).toBe(true);
  } else if (moment === "tool" || moment === "prompt" || moment === "stop") {
    // A changed prompt is refused: no agent takes it back.
    if (isSure)
      expect(effect.action).toBe(isRefused || (isChanged && moment === "prompt") ? "blocked" : "ran");
  }
  const isPromptless = client.promptlessModes.some((mode) => mode === stdin.permission_mode);
  if (!isPromptless) expect(effect.approved ?? false).toBe(false);
}

function asks({ hooks }: Case): boolean {
  return hooks.some(
    ({ does = {}, enforce = true }) => enforce && "answers" in does && does.answers?.type === "ask",
  );
}

function changes({ does = {}, enforce = true }: CaseHook): boolean {
  return enforce && "answers" in does && Object.keys(does.answers?.patch ?? {}).length > 0;
}

/** Rows that need no other host than an agent, and no other payload than a command. */
function isForBridges(row: Case): boolean {
  const { toolName = "Shell", toolInput = { command: "" } } = (row.payload ?? {}) as {
    readonly toolName?: string;
    readonly toolInput?: object;
  };
  const isPlain = toolName === "Shell" && Object.keys(toolInput).join() === "command";
  const isWaitedFor = row.hooks.every(({ mode, does = {} }) => mode !== "background" && !("hangs" in does));
  // A person answers when the agent asks; rows have an approver for that.
  const { approver, enforcesNotBy } = row.host ?? {};
  // A coding agent asks whoever is at its terminal.
  const hasHost = asks(row) ? approver === "approve" && enforcesNotBy !== true : row.host === undefined;
  return canBeWritten(row) && isPlain && isWaitedFor && hasHost;
}

/** A recorded payload of the agent's event that means ours; of tools, a call of its shell. */
function fixtureFor(client: Client, event: EventName): Fixture | undefined {
  const isTool = event in PAYLOADS && "toolName" in PAYLOADS[event];
  return recorded.find((fixture) => {
    if (fixture.client !== client.id || fixture.name.includes("-quirks/")) return false;
    const native = client.events[client.eventAliases?.[fixture.event] ?? fixture.event];
    if (!(native?.events as readonly string[] | undefined)?.includes(event)) return false;
    return (!isTool || commandIn(fixture.stdin) !== undefined) && native?.ignoredWhen === undefined;
  });
}

function payloadFor(sandbox: FileHooksSandbox, row: Case, { stdin }: Fixture): string {
  const { toolInput } = { ...PAYLOADS[row.event], ...row.payload } as {
    readonly toolInput?: { readonly command: string };
  };
  const command = commandIn(stdin);
  const text = JSON.stringify(stdin).replaceAll("/home/dev/project", sandbox.project);
  if (toolInput === undefined || command === undefined) return text;
  const moved = JSON.stringify(command.replaceAll("/home/dev/project", sandbox.project));
  return text.replaceAll(moved, JSON.stringify(toolInput.command));
}

/** The command that a payload is about. */
function commandIn(value: unknown): string | undefined {
  if (typeof value === "string") return /^(?:touch|echo|ls|cat) /.test(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.values(value)
    .map(commandIn)
    .find((found) => found !== undefined);
}

interface Decision {
  readonly event: string;
  readonly outcome: string;
  readonly action: string;
  readonly reason?: string;
  readonly entries: readonly { readonly hook: string; readonly verdict: string; readonly error?: string }[];
}

function decisions({ home }: FileHooksSandbox): readonly Decision[] {
  const path = join(home, ".local", "state", "tenterhook", "audit.jsonl");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Decision);
}
