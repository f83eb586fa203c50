// Written by tenterhook install. Changes here are lost; the hooks are HOOK.md folders.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

/**
 * What is installed. `command`: the program and its first arguments; `null`: the hook in the home of the current user, if it exists.
 * @type {{ command: string[] | null, arguments: string[], timeoutMs: number, guards: string | null, steering: string, setAside: string, notInstalled: string }}
 */
const SETTINGS = {
  command: null,
  arguments: [],
  timeoutMs: 0,
  guards: null,
  steering: "",
  setAside: "",
  notInstalled: "",
};

/**
 * A file of the current user's own installation.
 * @param {string} variable
 * @param {string[]} inHome
 * @param {string[]} path
 */
function userFile(variable, inHome, ...path) {
  const named = join(process.env[variable] || "/", ...path);
  return existsSync(named) ? named : join(homedir(), ...inHome, ...path);
}

const [COMMAND = userFile("XDG_DATA_HOME", [".local", "share"], "tenterhook-bridge", "hook"), ...FIRST] =
  SETTINGS.command ?? [];
const GUARDS =
  SETTINGS.guards ?? userFile("XDG_STATE_HOME", [".local", "state"], "tenterhook", "bridge", "guards");
const STEERING = new RegExp(SETTINGS.steering);

/** The events that can be refused, and what they are called in the list of guards. */
const EVENTS = new Map([
  ["PreToolUse", "before_tool"],
  ["UserPromptSubmit", "before_agent"],
  ["PermissionRequest", "permission_request"],
]);

/** This process's environment, in which what steers the loader, the C library or Node has another name: it would steer the bridge. */
function bridgeEnvironment() {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.map(([name, value]) => [STEERING.test(name) ? SETTINGS.setAside + name : name, value]),
  );
}

/**
 * Whether a guard must not be passed over: the bridge keeps a list of them. Without that list any guard may be there.
 * @param {string} event
 * @param {string | undefined} directory
 */
function isGuarded(event, directory) {
  if (!EVENTS.has(event)) return false;
  try {
    const here = `${realpathSync(directory ?? ".")}/`;
    const lines = readFileSync(GUARDS, "utf8")
      .split("\n")
      .filter((line) => /^(?:#|\w+\t)/.test(line));
    // A comment is its last line, unless its end was lost.
    if (!lines.at(-1)?.startsWith("#")) return true;
    return lines
      .map((line) => line.split("\t"))
      .some(
        ([name, project]) =>
          name === EVENTS.get(event) &&
          (project === "*" || here.startsWith(project === "/" ? "/" : `${project}/`)),
      );
  } catch {
    return true;
  }
}

let hasWarned = false;

/**
 * By session: the texts for the model, and which of them each request has that is being prepared.
 * @typedef {{ text: string, isSent: boolean }} Text
 * @typedef {{ added: Text[], isForTitle: boolean }} Request
 * @type {Map<string, { texts: Text[], requests: Request[] }>}
 */
const sessions = new Map();
/** Agents that do other work than the person's task, and whose requests come between. */
const SIDE_AGENTS = ["title", "summary", "compaction"];
const MOST_REQUESTS = 20;

/** @param {string} id */
function sessionOf(id) {
  const session = sessions.get(id) ?? { texts: [], requests: [] };
  sessions.set(id, session);
  return session;
}

/**
 * Shows text to the person: as a toast on OpenCode's screen, which is in another thread, or on standard error where there is none.
 * @param {any} client
 * @param {unknown} text
 */
function show(client, text) {
  if (typeof text !== "string" || text === "") return;
  if (isMainThread) console.error(text);
  const body = { title: "Tenterhook", message: text, variant: "warning", duration: 15_000 };
  // It is not waited for: OpenCode may be about to end.
  new Promise((resolve) => resolve(client?.tui?.showToast({ body }))).catch(() => undefined);
}

/**
 * What the bridge answers.
 * @typedef {{ block?: string, note?: string, context?: string, args?: object, result?: string }} Answer
 * @param {string} event
 * @param {{ cwd?: string }} payload
 * @returns {Promise<Answer>}
 */
function askBridge(event, payload) {
  return new Promise((resolve) => {
    const broken = (/** @type {string} */ why) => {
      const text = `tenterhook could not check this: ${why}`;
      resolve(isGuarded(event, payload.cwd) ? { block: text } : { note: text });
    };
    // The file may be shared: without Tenterhook no hook is called, which is shown once.
    if (SETTINGS.command === null && !existsSync(COMMAND)) {
      const note = hasWarned ? "" : SETTINGS.notInstalled;
      hasWarned = true;
      resolve({ note });
      return;
    }
    let stdout = "";
    let stderr = "";
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    try {
      const words = SETTINGS.arguments.map((word) => (word === "$EVENT" ? event : word));
      const child = spawn(COMMAND, [...FIRST, ...words], {
        stdio: "pipe",
        windowsHide: true,
        env: bridgeEnvironment(),
      });
      timer = setTimeout(() => {
        child.kill();
        broken("it did not answer in time");
      }, SETTINGS.timeoutMs);
      child.on("error", (error) => {
        clearTimeout(timer);
        broken(String(error.message));
      });
      child.stdout.setEncoding("utf8").on("data", (text) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        stderr += text;
      });
      child.stdin.on("error", () => undefined);
      child.on("close", (code) => {
        clearTimeout(timer);
        if (code === 2) return resolve({ block: stderr.trim() || "blocked, no reason given" });
        if (code !== 0) return broken(`it ended with exit code ${code}`);
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
      broken(error instanceof Error ? error.message : String(error));
    }
  });
}

/**
 * @param {string} session
 * @param {unknown} context
 */
function keep(session, context) {
  if (typeof context === "string" && context !== "")
    sessionOf(session).texts.push({ text: context, isSent: false });
}

/**
 * The model has answered a request: what was in it need not be sent again.
 * @param {string} id
 */
function answered(id) {
  const session = sessionOf(id);
  session.texts = session.texts.filter(({ isSent }) => !isSent);
}

/**
 * What OpenCode passes differs between its versions, and is read with care.
 * @typedef {Record<string, any>} Passed
 * @param {{ directory: string, client?: unknown }} started
 */
export const Tenterhook = async ({ directory, client }) => {
  const ask = async (/** @type {string} */ event, /** @type {Passed} */ payload) => {
    const answer = await askBridge(event, payload);
    show(client, answer.note);
    return answer;
  };
  return {
    event: async (/** @type {Passed} */ { event }) => {
      if (!["session.created", "session.deleted", "session.idle", "session.error"].includes(event.type))
        return;
      const answer = await ask(`event:${event.type}`, { cwd: directory, properties: event.properties });
      keep(event.properties?.sessionID, answer.context);
    },
    "chat.message": async (/** @type {Passed} */ input, /** @type {Passed} */ output) => {
      const parts = /** @type {Passed[]} */ (output.parts ?? []);
      const texts = parts.filter((part) => part.type === "text").map((part) => part.text);
      const session = input.sessionID ?? output.message?.sessionID;
      const prompt = texts.join("\n");
      const answer = await ask("UserPromptSubmit", { session_id: session, cwd: directory, prompt });
      if (typeof answer.block === "string") throw new Error(answer.block);
      keep(session, answer.context);
    },
    "tool.execute.before": async (/** @type {Passed} */ input, /** @type {Passed} */ output) => {
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
    "permission.ask": async (/** @type {Passed} */ input, /** @type {Passed} */ output) => {
      const patterns = [input.patterns ?? input.pattern ?? []].flat();
      const tool = input.permission ?? input.type;
      const command = tool === "bash" && patterns.length > 0 ? { command: patterns.join("\n") } : {};
      const answer = await ask("PermissionRequest", {
        session_id: input.sessionID,
        cwd: directory,
        tool_name: tool,
        tool_use_id: input.tool?.callID ?? input.callID,
        tool_input: { ...command, ...input.metadata, ...(patterns.length > 0 && { patterns }) },
      });
      if (typeof answer.block === "string") output.status = "deny";
    },
    "tool.execute.after": async (/** @type {Passed} */ input, /** @type {Passed} */ output) => {
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
    "experimental.session.compacting": async (/** @type {Passed} */ input, /** @type {Passed} */ output) => {
      const answer = await ask("PreCompact", {
        session_id: input.sessionID,
        cwd: directory,
        trigger: "auto",
      });
      if (typeof answer.context === "string") output.context?.push(answer.context);
    },
    // Every request of a session comes here; which agent it is of is known a moment later. A text stays until the model that works on the
    // task has answered a request with it: the request for a title must not use it up, and neither must one that fails.
    "experimental.chat.system.transform": async (
      /** @type {Passed} */ input,
      /** @type {Passed} */ output,
    ) => {
      const { texts, requests } = sessionOf(input.sessionID);
      const isForTitle = /^You are a title generator/.test(output.system[0] ?? "");
      const added = isForTitle ? [] : [...texts];
      output.system.push(...added.map(({ text }) => text));
      requests.push({ added, isForTitle });
      if (requests.length > MOST_REQUESTS) requests.shift();
    },
    // Requests of one session may overlap. Where it is not certain which one this is, a text counts as not sent, and is sent again.
    "chat.params": async (/** @type {Passed} */ input) => {
      const { requests } = sessionOf(input.sessionID);
      const agent = input.agent?.name ?? input.agent;
      const isSide = SIDE_AGENTS.includes(agent);
      const fits = requests.filter(({ isForTitle }) => isForTitle === (agent === "title"));
      const candidates = [...(fits.length > 0 ? fits : requests)].sort(
        (one, other) => one.added.length - other.added.length,
      );
      const request = isSide ? candidates.at(-1) : candidates[0];
      if (request === undefined) return;
      requests.splice(requests.indexOf(request), 1);
      if (!isSide) for (const text of request.added) text.isSent = true;
    },
    "experimental.text.complete": async (/** @type {Passed} */ input) => answered(input.sessionID),
  };
};
