import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { pause, systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { unavailable } from "../sql-error.ts";
import { Heartbeat, isBeating } from "./heartbeat.ts";
import { isListening, type LivenessSocket, openLivenessSocket, socketPath } from "./liveness-socket.ts";
import { isLocalFileSystem } from "./local-file-system.ts";

export interface FolderLock {
  /** Throws when another process has taken the folder over, because this one was paused for too long. Cheap. */
  check(): void;
  release(): Promise<void>;
}

export interface LockOptions {
  /** How often a lock on a network file system shows that its process lives. Default: 1,000. */
  readonly beatMs?: number;
  /** How long such a lock must be unchanged until its process counts as dead. Default: 10,000. */
  readonly staleMs?: number;
  /** Whether every process that can reach the folder runs on this kernel. Default: by the type of the file system. */
  readonly isLocal?: boolean;
}

/** The process that holds the lock, for messages. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Process ids are unique within one namespace only. */
  readonly pidNamespace: string;
}

interface Holder extends Owner {
  readonly isHeld: boolean;
}

const ATTEMPTS = 20;
/** Claims of processes that still search for other claims, and of the one that has found none. */
const WANTED = ".wanted";
const HELD = ".held";

/**
 * Claims a database folder for this process, or throws `store_locked`. Two processes in one folder would both report success,
 * and the rows of one would vanish; PGlite does not notice.
 *
 * `<folder>.lock/` has one file per claim. A process first writes `<id>.wanted` and waits for living
 * claims with a smaller id; then it renames its own to `<id>.held`, and searches once more: of two that do so at once, at least the
 * later sees the earlier, and withdraws. Claims of dead processes are removed.
 *
 * Process numbers and host names identify no process of another container. So a claim on a local file system has a
 * socket beside it, on which its process listens: the kernel closes it when the process ends, however it ends, and not while it
 * is only paused. On a network file system, where the process may be on another machine, the claim's file is touched every second
 * instead.
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<FolderLock> {
  // Two paths to one folder must find the same claims.
  const claims = join(await realpath(dirname(folder)), `${basename(folder)}.lock`);
  await mkdir(claims, { recursive: true, mode: 0o700 });
  const claim = await Claim.open(claims, options);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const holder = await claim.attempt();
      if (holder === undefined) return claim;
      if (holder.isHeld || attempt === ATTEMPTS) throw locked(folder, holder);
      // Other processes claim it too, and one of them will get it soon. Random waits keep two from colliding forever.
      await pause(10 + Math.random() * 40);
    }
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** The claim of this process. */
class Claim implements FolderLock {
  readonly #claims: string;
  readonly #id: string;
  readonly #socket: LivenessSocket | undefined;
  readonly #options: Required<LockOptions>;
  #heartbeat: Heartbeat | undefined;

  static async open(
    claims: string,
    { beatMs = 1_000, staleMs = 10_000, isLocal }: LockOptions,
  ): Promise<Claim> {
    const id = randomBytes(8).toString("hex");
    const hasSocket = isLocal ?? (await isLocalFileSystem(claims));
    const socket = hasSocket ? await openLivenessSocket(claims, id) : undefined;
    return new Claim(claims, id, socket, { beatMs, staleMs, isLocal: hasSocket });
  }

  private constructor(
    claims: string,
    id: string,
    socket: LivenessSocket | undefined,
    options: Required<LockOptions>,
  ) {
    this.#claims = claims;
    this.#id = id;
    this.#socket = socket;
    this.#options = options;
  }

  /** Returns the process that holds the folder or claimed it before, if there is one; this claim is then withdrawn. */
  async attempt(): Promise<Holder | undefined> {
    const wanted = join(this.#claims, this.#id + WANTED);
    const held = join(this.#claims, this.#id + HELD);
    // Atomically, because others read it.
    await writeFile(`${wanted}.new`, JSON.stringify(OWNER), { mode: 0o600 });
    await rename(`${wanted}.new`, wanted);
    this.#beat(wanted);
    let holder = await this.#find((name) => name.endsWith(HELD) || readId(name) < this.#id);
    if (holder === undefined) {
      await rename(wanted, held);
      this.#beat(held);
      holder = await this.#find((name) => name.endsWith(HELD));
    }
    if (holder !== undefined) await this.#withdraw();
    return holder;
  }

  check(): void {
    if (this.#heartbeat?.isLost()) throw lost(this.#claims);
  }

  async release(): Promise<void> {
    await this.#withdraw();
    await this.#socket?.close();
  }

  #beat(file: string): void {
    this.#heartbeat?.stop();
    this.#heartbeat = new Heartbeat(file, this.#options.beatMs);
  }

  async #withdraw(): Promise<void> {
    this.#heartbeat?.stop();
    for (const ending of [WANTED, HELD]) await rm(join(this.#claims, this.#id + ending), { force: true });
  }

  /** Finds a claim of another living process, among those that matter, and removes claims of dead ones. */
  async #find(matters: (name: string) => boolean): Promise<Holder | undefined> {
    for (const name of await readdir(this.#claims)) {
      if (readId(name) === this.#id || !(name.endsWith(WANTED) || name.endsWith(HELD)) || !matters(name))
        continue;
      const owner = await readOwner(join(this.#claims, name));
      // It was withdrawn meanwhile.
      if (owner === undefined) continue;
      if (await this.#isAlive(name)) return { ...owner, isHeld: name.endsWith(HELD) };
      await rm(join(this.#claims, name), { force: true });
      await rm(socketPath(this.#claims, readId(name)), { force: true });
    }
    return undefined;
  }

  #isAlive(name: string): Promise<boolean> {
    const { isLocal, staleMs } = this.#options;
    return isLocal ? isListening(this.#claims, readId(name)) : isBeating(join(this.#claims, name), staleMs);
  }
}

const OWNER: Owner = { pid: process.pid, host: hostname(), pidNamespace: pidNamespace() };

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function readId(name: string): string {
  return name.split(".", 1)[0] ?? "";
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function locked(folder: string, { pid, host, pidNamespace }: Owner): TenterhookError {
  const isHere = host === OWNER.host && pidNamespace === OWNER.pidNamespace;
  const holder = !isHere
    ? `process ${pid} in another container or on another machine (host name ${host})`
    : pid === process.pid
      ? `this process (${pid})`
      : `process ${pid}`;
  return new TenterhookError("store_locked", `The database in ${folder} is in use by ${holder}.`, {
    hint: "Stop it, choose another data folder, or use a PostgreSQL server for several coordinators.",
  });
}

function lost(claims: string): TenterhookError {
  return unavailable(
    `Another process has taken over the database, because this one was paused for too long (${claims}). Start this one again.`,
  );
}
