import { join } from "node:path";
import { SessionFiles, shortHash } from "./session-files.ts";

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
