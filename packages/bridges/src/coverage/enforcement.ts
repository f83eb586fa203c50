import { PatternBudget } from "@tenterhook/engine/internal";
import { toolMatcherOf } from "@tenterhook/file-hooks/discover";
import { typedCommand } from "@tenterhook/internal";
import { type EventName, eventRow, type HookFile } from "@tenterhook/protocol";
import { CANONICAL_TOOLS, type CanonicalTool } from "@tenterhook/protocol/internal";
import type { Client } from "../definition/client.ts";
import type { NativeEvent } from "../definition/events.ts";
import type { ToolRow } from "../definition/tools.ts";
import { installedEvents } from "../install/entry.ts";

/** How far a client enforces a hook. */
export interface Enforcement {
  readonly how: "fully" | "partly" | "not at all";
  /** What is not enforced, in sentences. */
  readonly why: readonly string[];
}

/** The tools that a patch is translated to. */
const PATCHED: readonly CanonicalTool[] = ["WriteFile", "EditFile", "DeleteFile"];

const NOT_ENFORCED = "it has enforce: false, so what it would have done is recorded and changes nothing";

/** How far a client enforces a hook. `script` is the text of its script, if it has one: only that shows what it may answer. */
export function findEnforcement(client: Client, hook: HookFile, script = ""): Enforcement {
  if (hook.enforce === false) return { how: "not at all", why: [NOT_ENFORCED] };
  const events = hook.events.map((event) => ({ event, ...atEvent(client, hook, event, script) }));
  const tools = atTools(client, hook);
  const why = [
    ...new Set([...tools.why, ...aboutTyping(client, hook), ...events.flatMap((each) => each.why)]),
  ];
  if (tools.how === "not at all" || events.every(({ how }) => how === "not at all"))
    return { how: "not at all", why };
  return { how: why.length === 0 ? "fully" : "partly", why };
}

/** The native events that deliver one of ours. */
export function deliveringEvents(
  client: Client,
  event: EventName,
): readonly (readonly [string, NativeEvent])[] {
  const installed = installedEvents(client);
  const direct = installed.filter(([, native]) => native.events.includes(event));
  if (direct.length > 0) return direct;
  if (event === "subagent_start" && listRows(client).some(({ delegates }) => delegates !== undefined))
    return installed.filter(([, native]) => native.events.includes("before_tool"));
  if (event === "after_tool_failure")
    return installed.filter(([, native]) => native.failedWhen !== undefined);
  return [];
}

function atEvent(client: Client, hook: HookFile, event: EventName, script: string): Enforcement {
  const { name } = client;
  const natives = deliveringEvents(client, event);
  if (natives.length === 0) return { how: "not at all", why: [`${name} has no event for ${event}`] };
  const lost = natives.flatMap(([, { lost: when }]) => (when === undefined ? [] : [`${event}: ${when}`]));
  if (hook.mode === "background") return { how: lost.length > 0 ? "partly" : "fully", why: lost };
  const all = natives.map(([, native]) => native);
  const capabilities = all.map(({ waits, capabilities: own }) => (waits === false ? {} : own));
  const can = (capability: "block" | "ask" | "rewrite") =>
    capabilities.some((own) => own[capability] !== undefined);
  const why = [...lost];
  if (eventRow(event).failure.action === "refuse" || event === "before_stop" || event === "subagent_stop") {
    if (!can("block")) why.push(`${name} ${WITHOUT_BLOCK[event] ?? `cannot be kept from this at ${event}`}`);
    else if (all.every(({ stopLimit }) => stopLimit === 1))
      why.push(
        `${name} asks a stop gate once: it is delayed once, and then stops whether the gate agrees or not`,
      );
  }
  if (event === "after_tool" && !capabilities.some(({ blockAfter }) => blockAfter?.withholds === true))
    why.push(`${name} cannot withhold a tool's result: the model gets the reason beside it`);
  if (event === "before_tool") why.push(...aboutAnswers(client, hook, script, capabilities));
  const isLost = event === "before_stop" && !can("block");
  return { how: isLost ? "not at all" : why.length === 0 ? "fully" : "partly", why };
}

const WITHOUT_BLOCK: Partial<Record<EventName, string>> = {
  session_start: "cannot refuse a session as it starts: its prompts and tools are refused instead",
  before_agent: "cannot refuse a prompt: the tools that follow are refused instead",
  before_stop: "cannot be kept from stopping",
  subagent_stop: "cannot keep a subagent from stopping",
};

function aboutAnswers(
  client: Client,
  { metadata, action }: HookFile,
  script: string,
  capabilities: readonly NativeEvent["capabilities"][],
): readonly string[] {
  const why: string[] = [];
  const asks = capabilities.find(({ ask }) => ask !== undefined)?.ask;
  if (action !== undefined) {
    if (action.type === "ask" && asks === undefined) why.push(CANNOT_ASK(client));
    return why;
  }
  if (/modified_input|modifiedInput/.test(script)) {
    const rewrite = capabilities.find((own) => own.rewrite !== undefined)?.rewrite;
    if (rewrite === undefined)
      why.push(
        `${client.name} cannot change a tool's input: where this hook changes it, the call is refused`,
      );
    else if (rewrite.approves && metadata.can_approve !== true)
      why.push(
        asks?.carriesInput
          ? `where this hook changes a tool's input, ${client.name} asks the person`
          : `${client.name} takes a changed input as approved: without metadata.can_approve: true the call is refused`,
      );
  }
  if (/["']ask["']/.test(script) && asks === undefined) why.push(CANNOT_ASK(client));
  return why;
}

const CANNOT_ASK = ({ name }: Client) =>
  `${name} cannot ask the person for a hook: where this hook asks, the call is refused`;

/** What a guard of Shell cannot check. */
function aboutTyping({ name, unseenInput }: Client, hook: HookFile): readonly string[] {
  if (unseenInput === undefined || hook.mode !== "sync" || !hook.events.includes("before_tool")) return [];
  if (toolMatcherOf(hook)?.plan("before_tool", "Shell", new PatternBudget()) === "no") return [];
  return [
    `${name} does not show hooks what is typed into a program that runs (${unseenInput}): the start of shells and interpreters that read it is refused instead`,
  ];
}

/** Whether the tools that a matcher names exist in the client, under a name that matchers see. */
function atTools(client: Client, hook: HookFile): Enforcement {
  const matcher = toolMatcherOf(hook);
  if (matcher === undefined) return { how: "fully", why: [] };
  const matches = (name: string) => matcher.plan("before_tool", name, new PatternBudget()) !== "no";
  const tools = CANONICAL_TOOLS.filter(matches);
  const own = new Set<string>(listRows(client).flatMap(({ name, split }) => (split ? PATCHED : [name])));
  if (tools.length === 0) {
    const native = Object.keys(client.tools.rows).filter((name) => matches(name));
    const names = new Set(
      native.flatMap((name) => [client.tools.rows[name] ?? []].flat().map((row) => (row as ToolRow).name)),
    );
    if (native.length === 0) return { how: "fully", why: [] };
    return {
      how: "not at all",
      why: [`matchers see ${[...names].join(", ")}, not ${native.join(", ")}: write that into matcher.tool`],
    };
  }
  const missing = tools.filter((name) => !own.has(name));
  // What the client does by Shell in place of a missing tool is seen by a hook that matches Shell too.
  const isSeen = tools.includes("Shell") && own.has("Shell");
  if (missing.length === 0 || isSeen) return { how: "fully", why: [] };
  const why = [
    `${client.name} has no tool ${missing.join(", ")}; it uses ${own.has("Shell") ? "Shell" : "other tools"} instead`,
  ];
  return { how: missing.length === tools.length ? "not at all" : "partly", why };
}

function listRows({ tools }: Client): readonly ToolRow[] {
  return Object.values(tools.rows).flat() as readonly ToolRow[];
}

/** What to do about a hook that a client enforces partly or not at all, as a sentence. */
export function adviseEnforcement(client: Client, hook: HookFile, { why }: Enforcement): string {
  if (hook.enforce === false) return `Run: ${typedCommand()} enforce ${hook.name}`;
  const limits = `${typedCommand()} clients ${client.id} shows what ${client.name} can do.`;
  const missing = hook.events.filter((event) => deliveringEvents(client, event).length === 0);
  if (missing.length > 0)
    return `Use an event that ${client.name} has in place of ${missing.join(", ")}: ${limits}`;
  if (why.some((reason) => reason.includes(" has no tool ")))
    return "Add Shell to matcher.tool, and let the script check the command.";
  if (why.some((reason) => reason.startsWith("matchers see "))) return "Change matcher.tool in its HOOK.md.";
  const events = new Set<string>(hook.events);
  if (events.has("before_stop") || events.has("subagent_stop"))
    return `Check the work once more after the run, for example in CI. ${limits}`;
  if (events.has("session_start") || events.has("before_agent"))
    return `Guard what must not happen at before_tool as well. ${limits}`;
  if (events.has("after_tool"))
    return "If the result must not reach the model, refuse the call at before_tool instead.";
  if (why.some((reason) => reason.includes("can_approve")))
    return "Let the script refuse, or write metadata.can_approve: true if its change may count as an approval.";
  if (why.includes(CANNOT_ASK(client)))
    return `A person can allow such a call once, with the code in its refusal: ${typedCommand()} allow CODE`;
  if (why.some((reason) => reason.includes("what is typed into a program")))
    return "The hook needs no change: the agent is told to run commands from a script or with their input from a file.";
  return limits;
}
