import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "@tenterhook/file-hooks";
import { shortHash } from "./short-hash.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was not heard of for so long is over. */
const KEPT_MS = 30 * DAY_MS;

/** Something that a hook refused and the client could not: what follows is refused in its place. */
export interface Refusal {
  readonly reason: string;
  /** `turn`: until the person sends the next prompt. */
  readonly until: "turn" | "session";
}

/**
 * What the bridge processes of one session share. Several run at the same moment, so every fact is a file of its own, which is
 * either there or not; none is read, changed and written back. Nothing here throws: a state folder that is full, read-only or no
 * folder at all must not undo what hooks decide.
 */
export class BridgeSession {
  readonly #folder: string;
  readonly #sessions: string;
  #isMade = false;

  readonly #isNamed: boolean;

  /** `state`: the state folder of Tenterhook. Calls that name no session share what is known of their folder. */
  constructor(state: string, client: string, sessionId: string, cwd: string) {
    this.#sessions = join(state, "bridge", "sessions");
    this.#isNamed = sessionId !== "";
    this.#folder = join(this.#sessions, nameFor(client, sessionId, cwd));
  }

  /** The folders that the session began in: those of its first call, whichever event that was. */
  startedIn(folders: readonly string[]): readonly string[] {
    const known = this.#read("folders.json");
    if (Array.isArray(known) && known.length > 0) {
      this.#stayInUse();
      return known.filter((each) => typeof each === "string");
    }
    this.#write("folders.json", JSON.stringify(folders));
    return folders;
  }

  /** The change time of its folder says when a session was last heard of; to set it once a day is enough. */
  #stayInUse(): void {
    try {
      const now = Date.now();
      if (now - statSync(this.#folder).mtimeMs > DAY_MS) utimesSync(this.#folder, now / 1_000, now / 1_000);
    } catch {
      // It is cleared away at worst.
    }
  }

  /** What was refused before. Without a session there is no end to it, so it counts only where there is one. */
  get refusal(): Refusal | undefined {
    if (!this.#isNamed) return undefined;
    const refusal = this.#read("refusal.json") as Partial<Refusal> | undefined;
    return typeof refusal?.reason === "string" ? (refusal as Refusal) : undefined;
  }

  /** Refuses what follows; false when that cannot be kept. */
  refuse(refusal: Refusal): boolean {
    return this.#write("refusal.json", JSON.stringify(refusal));
  }

  /** The person has sent a prompt: what was refused or held in the turn before is over. */
  beginTurn(): void {
    if (this.refusal?.until === "turn") this.#remove("refusal.json");
    this.released("before_stop");
  }

  /** How often hooks have held the agent, or a subagent, since it was last let go. */
  holds(event: string): number {
    return namesIn(join(this.#folder, `holds-${event}`)).length;
  }

  /** Counts one more, and returns the count; `undefined` when it cannot be kept. */
  held(event: string, reason: string): number | undefined {
    this.#write("feedback.json", JSON.stringify(reason.trim()));
    const before = this.holds(event);
    for (let nth = before + 1; nth < before + 1_000; nth++) {
      const name = join(`holds-${event}`, String(nth));
      if (this.#create(name, "")) return this.#has(name) ? nth : undefined;
    }
    return undefined;
  }

  /**
   * Whether a prompt is what the agent was held with. Gemini CLI reports that as a prompt; it begins no turn, or an agent could be
   * held for ever.
   */
  isFeedback(prompt: string): boolean {
    if (prompt.trim() === "" || this.#read("feedback.json") !== prompt.trim()) return false;
    this.#remove("feedback.json");
    return true;
  }

  released(event: string): void {
    this.#remove(`holds-${event}`);
  }

  /** Keeps text for the model until an event comes that can carry it. */
  keepContext(text: string): boolean {
    return this.#write(join("context", `${Date.now()}-${process.pid}-${process.hrtime()[1]}.txt`), text);
  }

  /** What was kept, oldest first; it is then no longer kept. */
  takeContext(): readonly string[] {
    const folder = join(this.#folder, "context");
    return namesIn(folder)
      .sort()
      .flatMap((name) => {
        const kept = `${name}.${process.pid}`;
        try {
          // Of several processes that want it, the one that renames it has it.
          renameSync(join(folder, name), join(folder, kept));
          const text = readPlainFile(join(folder, kept));
          unlinkSync(join(folder, kept));
          return [text];
        } catch {
          return [];
        }
      });
  }

  /** Whether a message is new to this session. */
  notices(message: string): boolean {
    return this.#create(join("notices", shortHash(message)), message);
  }

  /** Whether all of these messages were reported in this session. */
  hasReported(messages: readonly string[]): boolean {
    return messages.length === 0 || this.#has(join("notices", shortHash(messages.join("\n"))));
  }

  /** Reports messages once in this session. Afterwards one look is enough for all of them. */
  reportOnce(messages: readonly string[], report: (message: string) => void): void {
    if (this.hasReported(messages)) return;
    for (const message of messages) report(message);
    this.notices(messages.join("\n"));
  }

  /** Notes that a call was refused by us, for clients that report it again as a failure. */
  blocked(toolUseId: string): void {
    this.#create(join("blocked", shortHash(toolUseId)), "");
  }

  wasBlocked(toolUseId: string): boolean {
    return this.#has(join("blocked", shortHash(toolUseId)));
  }

  /**
   * Takes a call for this process. False when another entry of the client's configuration has taken the same one: the n-th delivery of
   * a call by one entry is the same call as the n-th by another. An id alone is not enough: some models number their calls anew in
   * every turn, and a second `call_0` must be judged too.
   */
  claim(call: string, entry: string): boolean {
    const name = shortHash(call);
    for (let nth = 0; nth < 10_000; nth++) {
      if (!this.#create(join("claims", `${name}-${nth}-${shortHash(entry)}`), "")) continue;
      return this.#create(join("claims", `${name}-${nth}`), entry);
    }
    return true;
  }

  #has(name: string): boolean {
    try {
      return statSync(join(this.#folder, name)).isFile();
    } catch {
      return false;
    }
  }

  #read(name: string): unknown {
    try {
      return JSON.parse(readPlainFile(join(this.#folder, name)));
    } catch {
      return undefined;
    }
  }

  /** True when the file was not there before. A folder that cannot be written to makes everything new, never taken. */
  #create(name: string, text: string): boolean {
    if (!this.#make(name)) return true;
    try {
      writeFileSync(join(this.#folder, name), text, { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EEXIST";
    }
  }

  /** Writes a file whole; false when it cannot be written. */
  #write(name: string, text: string): boolean {
    if (!this.#make(name)) return false;
    // Two processes have the same number where each has a container of its own.
    const draft = `draft-${process.pid}-${process.hrtime()[1]}`;
    try {
      writeFileSync(join(this.#folder, draft), text, { mode: 0o600 });
      renameSync(join(this.#folder, draft), join(this.#folder, name));
      return true;
    } catch {
      this.#remove(draft);
      return false;
    }
  }

  #remove(name: string): void {
    try {
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    } catch {
      // It stays.
    }
  }

  /** Makes the folder that a file is to stand in; false when there can be none. */
  #make(name: string): boolean {
    try {
      if (!this.#isMade) {
        const isNew = mkdirSync(this.#folder, { recursive: true, mode: 0o700 }) !== undefined;
        this.#isMade = true;
        if (isNew) removeOld(this.#sessions);
      }
      const at = name.search(/[\\/]/);
      if (at >= 0) mkdirSync(join(this.#folder, name.slice(0, at)), { recursive: true, mode: 0o700 });
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * A session id comes from outside: what is not plainly a name becomes one, with a point in it, which no plain name has. Upper case is not
 * plain: a file system may not distinguish it. As JSON, halves of characters stay different.
 */
function nameFor(client: string, sessionId: string, cwd: string): string {
  if (sessionId === "") return `${client}.in.${shortHash(JSON.stringify(cwd))}`;
  const isPlain = /^[a-z0-9][a-z0-9_-]{0,79}$/.test(sessionId);
  return isPlain ? `${client}-${sessionId}` : `${client}.${shortHash(JSON.stringify(sessionId))}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeOld(sessions: string): void {
  for (const name of namesIn(sessions)) {
    try {
      const folder = join(sessions, name);
      if (Date.now() - statSync(folder).mtimeMs > KEPT_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process may be clearing away the same one.
    }
  }
}
