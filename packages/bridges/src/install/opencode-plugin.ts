import { SET_ASIDE } from "@tenterhook/file-hooks/run";
import { NOT_INSTALLED } from "./not-installed.ts";
import { setAsidePattern } from "./set-aside.ts";

/** What the generated plugin starts for each event. */
export interface PluginCommand {
  /** The program and its first arguments; `null`: the hook in the home of the current user, if it exists. */
  readonly command: readonly string[] | null;
  /** The further arguments for an event. */
  readonly arguments: (event: string) => readonly string[];
  /** How long the plugin waits for an answer. */
  readonly timeoutMs: number;
  /** The file with the guards that must not be passed over, which decides when the program cannot be started or does not answer. */
  readonly guards: string | null;
}

/**
 * The text of the plugin that OpenCode loads. OpenCode has no hooks of commands: the plugin starts the bridge for each event, waits
 * for it, and does what it answers. It imports nothing, so that nothing need be installed.
 */
export function pluginText({ command, arguments: argumentsFor, timeoutMs, guards }: PluginCommand): string {
  const EVENT = "$EVENT";
  return `// Written by tenterhook install. Changes here are lost; the hooks are HOOK.md folders.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

/** A file of the current user's own installation. */
function userFile(variable, inHome, ...path) {
  const named = join(process.env[variable] || "/", ...path);
  return existsSync(named) ? named : join(homedir(), ...inHome, ...path);
}

const COMMAND = ${command === null ? 'userFile("XDG_DATA_HOME", [".local", "share"], "tenterhook-bridge", "hook")' : JSON.stringify(command[0])};
const FIRST = ${JSON.stringify(command?.slice(1) ?? [])};
const ARGUMENTS = ${JSON.stringify(argumentsFor(EVENT))};
const TIMEOUT_MS = ${JSON.stringify(timeoutMs)};
const GUARDS = ${guards === null ? 'userFile("XDG_STATE_HOME", [".local", "state"], "tenterhook", "bridge", "guards")' : JSON.stringify(guards)};
const IS_SHARED = ${JSON.stringify(command === null)};
const EVENTS = { PreToolUse: "before_tool", UserPromptSubmit: "before_agent", PermissionRequest: "permission_request" };

const STEERING = new RegExp(${JSON.stringify(setAsidePattern())});

/** This process's environment, in which what steers the loader, the C library or Node has another name: it would steer the bridge. */
function bridgeEnvironment() {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.map(([name, value]) => [STEERING.test(name) ? "${SET_ASIDE}" + name : name, value]));
}

/** Whether a guard must not be passed over: the bridge keeps a list of them. Without that list any guard may be there. */
function isGuarded(event, directory) {
  if (!Object.hasOwn(EVENTS, event)) return false;
  try {
    const here = realpathSync(directory ?? ".") + "/";
    const lines = readFileSync(GUARDS, "utf8").split("\\n").filter((line) => /^(?:#|\\w+\\t)/.test(line));
    // It has at least a comment, unless its content was lost.
    if (lines.length === 0) return true;
    return lines
      .map((line) => line.split("\\t"))
      .some(([name, project]) => name === EVENTS[event] && (project === "*" || here.startsWith(project === "/" ? "/" : project + "/")));
  } catch {
    return true;
  }
}

let hasWarned = false;

/** By session: the texts for the model, and which of them each request has that is being prepared. */
const sessions = new Map();
/** Agents that do other work than the person's task, and whose requests come between. */
const SIDE_AGENTS = ["title", "summary", "compaction"];
const MOST_REQUESTS = 20;

function sessionOf(id) {
  if (!sessions.has(id)) sessions.set(id, { texts: [], requests: [] });
  return sessions.get(id);
}

/** Shows text to the person: as a toast on OpenCode's screen, which is in another thread, or on standard error where there is none. */
function show(client, text) {
  if (typeof text !== "string" || text === "") return;
  if (isMainThread) console.error(text);
  // It is not waited for: OpenCode may be about to end.
  new Promise((resolve) =>
    resolve(client?.tui?.showToast({ body: { title: "Tenterhook", message: text, variant: "warning", duration: 15_000 } })),
  ).catch(() => undefined);
}

function askBridge(event, payload) {
  return new Promise((resolve) => {
    const broken = (why) => {
      const text = "tenterhook could not check this: " + why;
      resolve(isGuarded(event, payload.cwd) ? { block: text } : { note: text });
    };
    // The file may be shared: without Tenterhook no hook is called, which is shown once.
    if (IS_SHARED && !existsSync(COMMAND)) {
      const note = hasWarned ? "" : ${JSON.stringify(NOT_INSTALLED)};
      hasWarned = true;
      return resolve({ note });
    }
    let stdout = "";
    let stderr = "";
    let timer;
    try {
      const child = spawn(COMMAND, [...FIRST, ...ARGUMENTS.map((word) => (word === "${EVENT}" ? event : word))], { stdio: "pipe", windowsHide: true, env: bridgeEnvironment() });
      timer = setTimeout(() => (child.kill(), broken("it did not answer in time")), TIMEOUT_MS);
      child.on("error", (error) => (clearTimeout(timer), broken(String(error.message))));
      child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      child.stdin.on("error", () => undefined);
      child.on("close", (code) => {
        clearTimeout(timer);
        if (code === 2) return resolve({ block: stderr.trim() || "blocked, no reason given" });
        if (code !== 0) return broken("it ended with exit code " + code);
        // The bridge prints an object even if it has no objection. A damaged script that prints nothing ends with 0, too.
        if (stdout.trim() === "") return broken("it ended without an answer");
        try {
          resolve(JSON.parse(stdout));
        } catch {
          broken("its answer is not JSON");
        }
      });
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }));
    } catch (error) {
      clearTimeout(timer);
      broken(String(error?.message ?? error));
    }
  });
}

function keep(session, context) {
  if (typeof context === "string" && context !== "") sessionOf(session).texts.push({ text: context, isSent: false });
}

/** The model has answered a request: what was in it need not be sent again. */
function answered(id) {
  const session = sessionOf(id);
  session.texts = session.texts.filter(({ isSent }) => !isSent);
}

export const Tenterhook = async ({ directory, client }) => {
  const ask = async (event, payload) => {
    const answer = await askBridge(event, payload);
    show(client, answer.note);
    return answer;
  };
  return {
  event: async ({ event }) => {
    if (!["session.created", "session.deleted", "session.idle", "session.error"].includes(event.type)) return;
    const answer = await ask("event:" + event.type, { cwd: directory, properties: event.properties });
    keep(event.properties?.sessionID, answer.context);
  },
  "chat.message": async (input, output) => {
    const texts = (output.parts ?? []).filter((part) => part.type === "text").map((part) => part.text);
    const session = input.sessionID ?? output.message?.sessionID;
    const answer = await ask("UserPromptSubmit", { session_id: session, cwd: directory, prompt: texts.join("\\n") });
    if (typeof answer.block === "string") throw new Error(answer.block);
    keep(session, answer.context);
  },
  "tool.execute.before": async (input, output) => {
    answered(input.sessionID);
    const answer = await ask("PreToolUse", {
      session_id: input.sessionID,
      cwd: directory,
      tool_name: input.tool,
      tool_use_id: input.callID,
      tool_input: output.args,
    });
    if (typeof answer.block === "string") throw new Error(answer.block);
    if (answer.args !== undefined) {
      // The same object, because OpenCode keeps it.
      for (const key of Object.keys(output.args)) delete output.args[key];
      Object.assign(output.args, answer.args);
    }
    keep(input.sessionID, answer.context);
  },
  // Declared by OpenCode, and called by some of its versions only. A request is never approved here, only refused.
  "permission.ask": async (input, output) => {
    const patterns = [input.patterns ?? input.pattern ?? []].flat();
    const tool = input.permission ?? input.type;
    const command = tool === "bash" && patterns.length > 0 ? { command: patterns.join("\\n") } : {};
    const answer = await ask("PermissionRequest", {
      session_id: input.sessionID,
      cwd: directory,
      tool_name: tool,
      tool_use_id: input.tool?.callID ?? input.callID,
      tool_input: { ...command, ...input.metadata, ...(patterns.length > 0 && { patterns }) },
    });
    if (typeof answer.block === "string") output.status = "deny";
  },
  "tool.execute.after": async (input, output) => {
    const answer = await ask("PostToolUse", {
      session_id: input.sessionID,
      cwd: directory,
      tool_name: input.tool,
      tool_use_id: input.callID,
      tool_input: input.args,
      tool_response: { title: output.title, output: output.output, metadata: output.metadata },
    });
    const result = answer.block ?? answer.result;
    if (typeof result === "string") output.output = result;
    keep(input.sessionID, answer.context);
  },
  "experimental.session.compacting": async (input, output) => {
    const answer = await ask("PreCompact", { session_id: input.sessionID, cwd: directory, trigger: "auto" });
    if (typeof answer.context === "string") output.context?.push(answer.context);
  },
  // Every request of a session comes here; which agent it is of is known a moment later. A text stays until the model that works on the
  // task has answered a request with it: the request for a title must not use it up, and neither must one that fails.
  "experimental.chat.system.transform": async (input, output) => {
    const { texts, requests } = sessionOf(input.sessionID);
    const isForTitle = /^You are a title generator/.test(output.system[0] ?? "");
    const added = isForTitle ? [] : [...texts];
    output.system.push(...added.map(({ text }) => text));
    requests.push({ added, isForTitle });
    if (requests.length > MOST_REQUESTS) requests.shift();
  },
  // Requests of one session may overlap. Where it is not certain which one this is, a text counts as not sent, and is sent again.
  "chat.params": async (input) => {
    const { requests } = sessionOf(input.sessionID);
    const agent = input.agent?.name ?? input.agent;
    const isSide = SIDE_AGENTS.includes(agent);
    const fits = requests.filter(({ isForTitle }) => isForTitle === (agent === "title"));
    const candidates = [...(fits.length > 0 ? fits : requests)].sort((one, other) => one.added.length - other.added.length);
    const request = isSide ? candidates.at(-1) : candidates[0];
    if (request === undefined) return;
    requests.splice(requests.indexOf(request), 1);
    if (!isSide) for (const text of request.added) text.isSent = true;
  },
  "experimental.text.complete": async (input) => answered(input.sessionID),
  };
};
`;
}
