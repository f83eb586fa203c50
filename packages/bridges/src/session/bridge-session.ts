import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { shortHash } from "./short-hash.ts";

/** A session that was not heard of for so long is over. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Something that a hook refused and the client could not: what follows is refused in its place. */
export interface Refusal {
  readonly reason: string;
  /** `turn`: until the person sends the next prompt. */
  readonly until: "turn" | "session";
}

/**
 * What the bridge processes of one session share. Several run at the same moment, so every fact is a file of its own, which is
 * either there or not; none is read, changed and written back.
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
    this.#folder = join(this.#sessions, nameFor(client, this.#isNamed ? sessionId : `in ${cwd}`));
  }

  /** The folders that the session began in: those of its first call, whichever event that was. */
  startedIn(folders: readonly string[]): readonly string[] {
    const known = this.#read("folders.json");
    if (Array.isArray(known) && known.length > 0) return known.filter((each) => typeof each === "string");
    return this.#create("folders.json", JSON.stringify(folders)) ? folders : this.#foldersNow(folders);
  }

  #foldersNow(folders: readonly string[]): readonly string[] {
    const known = this.#read("folders.json");
    return Array.isArray(known) ? known.filter((each) => typeof each === "string") : folders;
  }

  /** What was refused before. Without a session there is no end to it, so it counts only where there is one. */
  get refusal(): Refusal | undefined {
    if (!this.#isNamed) return undefined;
    const refusal = this.#read("refusal.json") as Partial<Refusal> | undefined;
    return typeof refusal?.reason === "string" ? (refusal as Refusal) : undefined;
  }

  refuse(refusal: Refusal): void {
    this.#write("refusal.json", JSON.stringify(refusal));
  }

  /** The person has sent a prompt: what was refused or held in the turn before is over. */
  beginTurn(): void {
    if (this.refusal?.until === "turn") this.#remove("refusal.json");
    this.released("before_stop");
  }

  /** How often hooks have held the agent, or a subagent, since it was last let go. */
  holds(event: string): number {
    const count = this.#read(`holds-${event}.json`);
    return typeof count === "number" ? count : 0;
  }

  held(event: string, reason: string): void {
    this.#write(`holds-${event}.json`, JSON.stringify(this.holds(event) + 1));
    this.#write("feedback.json", JSON.stringify(reason.trim()));
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
    this.#remove(`holds-${event}.json`);
  }

  /** Keeps text for the model until an event comes that can carry it. */
  keepContext(text: string): void {
    this.#write(join("context", `${Date.now()}-${process.pid}-${process.hrtime()[1]}.txt`), text);
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
          const text = readFileSync(join(folder, kept), "utf8");
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
      return JSON.parse(readFileSync(join(this.#folder, name), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** True when the file was not there before. A folder that cannot be written to makes everything new, never taken. */
  #create(name: string, text: string): boolean {
    try {
      this.#make(name);
      writeFileSync(join(this.#folder, name), text, { flag: "wx", mode: 0o600 });
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EEXIST";
    }
  }

  #write(name: string, text: string): void {
    this.#make(name);
    const draft = join(this.#folder, `draft-${process.pid}`);
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, join(this.#folder, name));
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  #make(name: string): void {
    const at = name.indexOf("/");
    if (at >= 0) mkdirSync(join(this.#folder, name.slice(0, at)), { recursive: true, mode: 0o700 });
    if (this.#isMade) return;
    this.#isMade = true;
    const isNew = mkdirSync(this.#folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew) removeOld(this.#sessions);
  }
}

function nameFor(client: string, sessionId: string): string {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(sessionId);
  return `${client}-${isPlain ? sessionId : `x${shortHash(sessionId)}`}`;
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
