import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { giveToParentOwner, makeFolders, readPlainFile, removeUnusedDaily } from "@tenterhook/internal/files";

/** A refusal that the client could not apply: later events are refused in its place. */
export interface Refusal {
  readonly reason: string;
  /** `turn`: until the person sends the next prompt. */
  readonly until: "turn" | "session";
}

/** Notes that were not shown yet, and those that only a terminal has shown. */
export type WaitingNotes = "notes-unseen" | "notes-on-terminal";

/** No client waits as long for one of its entries before it calls the next one for the same call. */
const CLAIMED_MS = 15 * 60 * 1000;

/** The file with the folders that a session began in. */
const FOLDERS = "folders.json";

/**
 * The state that the bridge processes of one session share. Several run at the same moment, so every fact is a file of its own that
 * exists or not; none is read, changed and written back.
 */
export class BridgeSession {
  readonly #files: SessionFiles;
  readonly #isNamed: boolean;
  /** Where verdicts about events are stored that the client does not wait for. Without a session no call knows which of them concern it. */
  readonly verdictFiles: SessionFiles | undefined;
  /** A refusal of this process, which applies to it even if it cannot be stored. */
  #refusal: Refusal | undefined;

  /** `state`: the state folder of Tenterhook. Calls that name no session share what is known of their folder. */
  constructor(state: string, client: string, sessionId: string, cwd: string) {
    this.#isNamed = sessionId !== "";
    this.#files = new SessionFiles(join(state, "bridge", "sessions"), nameFor(client, sessionId, cwd));
    this.verdictFiles = this.#isNamed ? this.#files : undefined;
  }

  /**
   * The folders that the session began in: those of its first call, whichever event that was. Of calls at the same moment, the one
   * that stores its folders first is the first. `undefined` when they can be neither read nor stored.
   */
  startedIn(folders: readonly string[]): readonly string[] | undefined {
    const known = this.#storedFolders();
    if (known !== undefined) {
      this.#files.stayInUse();
      return known;
    }
    const text = JSON.stringify(folders);
    if (this.#files.writeFirst(FOLDERS, text)) return folders;
    // A file that cannot be read is replaced. So is one on a file system without hard links, where the last of several calls wins.
    return this.#storedFolders() ?? (this.#files.write(FOLDERS, text) ? folders : undefined);
  }

  #storedFolders(): readonly string[] | undefined {
    const known = this.#files.read(FOLDERS);
    const folders = Array.isArray(known) ? known.filter((each) => typeof each === "string") : [];
    return folders.length > 0 ? folders : undefined;
  }

  /** A refusal that applies to later events. Without a session it would never end, so it needs one. */
  get refusal(): Refusal | undefined {
    if (!this.#isNamed) return undefined;
    const refusal = this.#files.read("refusal.json") as Partial<Refusal> | undefined;
    return typeof refusal?.reason === "string" ? (refusal as Refusal) : this.#refusal;
  }

  /** Refuses the calls that follow. Returns false if this cannot be stored, or not for a session. */
  refuse(refusal: Refusal): boolean {
    this.#refusal = refusal;
    return this.#isNamed && this.#files.write("refusal.json", JSON.stringify(refusal));
  }

  /** The person has sent a prompt: refusals of the turn before end, and a stop gate counts anew. */
  beginTurn(): void {
    if (this.refusal?.until === "turn") {
      this.#refusal = undefined;
      this.#files.remove("refusal.json");
    }
    this.clearKeptRunning("before_stop");
  }

  /** How often hooks have kept the agent, or a subagent, running since it was last released. */
  timesKeptRunning(event: string): number {
    return this.#files.count(keptRunning(event));
  }

  /** Adds one and returns the count, or `undefined` if it cannot be stored. */
  addKeptRunning(event: string, reason: string): number | undefined {
    this.#files.write("feedback.json", JSON.stringify(reason.trim()));
    const before = this.timesKeptRunning(event);
    for (let nth = before + 1; nth < before + 1_000; nth++) {
      const name = join(keptRunning(event), String(nth));
      if (this.#files.create(name, "")) return this.#files.has(name) ? nth : undefined;
    }
    return undefined;
  }

  /**
   * Whether a prompt is the reason that the agent was kept running with. Gemini CLI reports it as a prompt; it begins no turn, or an agent
   * could be kept running without a limit.
   */
  isFeedback(prompt: string): boolean {
    if (prompt.trim() === "" || this.#files.read("feedback.json") !== prompt.trim()) return false;
    this.#files.remove("feedback.json");
    return true;
  }

  /** The agent was released: the count begins anew. */
  clearKeptRunning(event: string): void {
    this.#files.remove(keptRunning(event));
  }

  /** Keeps text for the model until an event comes that can carry it. */
  keepContext(text: string): boolean {
    return this.#files.write(
      join("context", `${Date.now()}-${process.pid}-${process.hrtime()[1]}.txt`),
      text,
    );
  }

  /** Returns the kept texts, oldest first, and removes them. */
  takeContext(): readonly string[] {
    return this.#files.take("context");
  }

  /** Keeps text for the person until an event comes that shows it. */
  keepNote(text: string, which: WaitingNotes): boolean {
    return this.#files.write(join(which, `${Date.now()}-${process.pid}-${process.hrtime()[1]}.txt`), text);
  }

  hasNotes(which: WaitingNotes): boolean {
    return this.#files.count(which) > 0;
  }

  /** Returns the kept texts for the person, oldest first, and removes them. */
  takeNotes(which: WaitingNotes): readonly string[] {
    return this.#files.take(which);
  }

  /** Whether the person is yet to see a note in this session. Afterwards not. Calls that name no session may be of several. */
  isNewNote(text: string): boolean {
    return !this.#isNamed || this.isNewNotice(`note ${text}`);
  }

  /** Whether a message is new to this session. Afterwards it is not. */
  isNewNotice(message: string): boolean {
    return this.#files.create(join("notices", shortHash(message)), message);
  }

  /** Whether all of these messages were reported in this session. */
  hasReported(messages: readonly string[]): boolean {
    return messages.length === 0 || this.#files.has(join("notices", shortHash(messages.join("\n"))));
  }

  /** Reports messages once in this session. Afterwards one file stands for all of them. */
  reportOnce(messages: readonly string[], report: (message: string) => void): void {
    if (this.hasReported(messages)) return;
    for (const message of messages) report(message);
    this.isNewNotice(messages.join("\n"));
  }

  /** Records that hooks refused a call, for clients that report it again as a failure. */
  recordBlocked(toolUseId: string): void {
    this.#files.create(join("blocked", shortHash(toolUseId)), "");
  }

  wasBlocked(toolUseId: string): boolean {
    return this.#files.has(join("blocked", shortHash(toolUseId)));
  }

  /**
   * Takes a call for this process. False when another entry of the client's configuration has taken the same one: the n-th delivery of
   * a call by one entry is the same call as the n-th by another. An id alone is not enough: some models number their calls anew in
   * every turn, and a second `call_0` must be checked too. What was taken long ago is an older call, of which this entry was not told.
   */
  claim(call: string, entry: string): boolean {
    const name = shortHash(call);
    for (let nth = 0; nth < 10_000; nth++) {
      if (!this.#files.create(join("claims", `${name}-${nth}-${shortHash(entry)}`), "")) continue;
      const taken = join("claims", `${name}-${nth}`);
      if (this.#files.create(taken, entry)) return true;
      if (!this.#files.isOlder(taken, CLAIMED_MS)) return false;
    }
    return true;
  }
}

/**
 * The folder with a file for each time. Earlier versions named it `holds-EVENT`; that one is not read, so a stop gate that an update meets
 * in the middle of a turn may keep the agent running as often again. It is removed with the session's other files.
 */
function keptRunning(event: string): string {
  return `kept-running-${event}`;
}

/**
 * A session id is foreign text. One that is not a plain name is hashed, and its name gets a point, which no plain name has. Upper case is
 * not plain: a file system may ignore case. It is hashed as JSON, in which unpaired surrogates stay different.
 */
function nameFor(client: string, sessionId: string, cwd: string): string {
  if (sessionId === "") return `${client}.in.${shortHash(JSON.stringify(cwd))}`;
  const isPlain = /^[a-z0-9][a-z0-9_-]{0,79}$/.test(sessionId);
  return isPlain ? `${client}-${sessionId}` : `${client}.${shortHash(JSON.stringify(sessionId))}`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The files of one session. Nothing here throws: a state folder that is full, read-only or no folder at all must not undo what hooks
 * decide.
 */
export class SessionFiles {
  readonly #folder: string;
  readonly #sessions: string;
  #isMade = false;

  constructor(sessions: string, name: string) {
    this.#sessions = sessions;
    this.#folder = join(sessions, name);
  }

  /** The change time of its folder says when a session was last heard of; to set it once a day is enough. */
  stayInUse(): void {
    try {
      const now = Date.now();
      if (now - statSync(this.#folder).mtimeMs > DAY_MS) utimesSync(this.#folder, now / 1_000, now / 1_000);
    } catch {
      // It is cleared away at worst.
    }
  }

  has(name: string): boolean {
    try {
      return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.isFile() === true;
    } catch {
      return false;
    }
  }

  /** Whether a file was written longer ago than that. One that cannot be seen counts as such. */
  isOlder(name: string, ms: number): boolean {
    try {
      return Date.now() - statSync(join(this.#folder, name)).mtimeMs > ms;
    } catch {
      return true;
    }
  }

  read(name: string): unknown {
    const path = join(this.#folder, name);
    // Most are absent, and to make an exception takes longer than to read a file.
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readPlainFile(path));
    } catch {
      return undefined;
    }
  }

  /** True when the file was not there before. A folder that cannot be written to makes everything new, never taken. */
  create(name: string, text: string): boolean {
    if (!this.#make(name)) return true;
    try {
      writeFileSync(join(this.#folder, name), text, { flag: "wx", mode: 0o600 });
      giveToParentOwner(join(this.#folder, name));
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "EEXIST";
    }
  }

  /** Writes a file whole; false when it cannot be written. */
  write(name: string, text: string): boolean {
    return this.#writeDraft(name, text, renameSync);
  }

  /** Writes a file whole unless it exists; false when this process has not written it. */
  writeFirst(name: string, text: string): boolean {
    return this.#writeDraft(name, text, (draft, path) => {
      linkSync(draft, path);
      unlinkSync(draft);
    });
  }

  /** As `create`, but no process sees a part of the text. */
  createWhole(name: string, text: string): boolean {
    return this.writeFirst(name, text) || (!this.has(name) && this.create(name, text));
  }

  #writeDraft(name: string, text: string, publish: (draft: string, path: string) => void): boolean {
    if (!this.#make(name)) return false;
    // Two processes have the same number where each has a container of its own.
    const draft = `draft-${process.pid}-${process.hrtime()[1]}`;
    try {
      writeFileSync(join(this.#folder, draft), text, { mode: 0o600 });
      giveToParentOwner(join(this.#folder, draft));
      publish(join(this.#folder, draft), join(this.#folder, name));
      return true;
    } catch {
      this.remove(draft);
      return false;
    }
  }

  remove(name: string): void {
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
        const isNew = makeFolders(this.#folder);
        this.#isMade = true;
        if (isNew) removeUnusedDaily(this.#sessions);
      }
      const at = name.search(/[\\/]/);
      if (at >= 0) makeFolders(join(this.#folder, name.slice(0, at)));
      return true;
    } catch {
      return false;
    }
  }

  /** How many files there are in a folder of the session. */
  count(folder: string): number {
    return this.names(folder).length;
  }

  /** The names of the files in a folder of the session. */
  names(folder: string): readonly string[] {
    return namesIn(join(this.#folder, folder));
  }

  /** The texts of all files in a folder of the session, in the order of their names; each is given to one process only. */
  take(folder: string): readonly string[] {
    const path = join(this.#folder, folder);
    return namesIn(path)
      .sort()
      .flatMap((name) => {
        const kept = `${name}.${process.pid}`;
        try {
          // Of several processes that want it, the one that renames it has it.
          renameSync(join(path, name), join(path, kept));
          const text = readPlainFile(join(path, kept));
          unlinkSync(join(path, kept));
          return [text];
        } catch {
          return [];
        }
      });
  }
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file name for a text from outside. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
