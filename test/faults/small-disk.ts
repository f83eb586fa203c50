import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const MEGABYTES = 192;

/** Whether a file system can be mounted in a new namespace, without privileges. */
export const HAS_NAMESPACES =
  spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status === 0;

/**
 * A file system of a fixed size at a folder, visible to processes that are started with `enter`. It exists as long as the
 * process that holds it.
 */
export class SmallDisk {
  readonly folder: string;
  readonly #holder: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(folder: string, holder: ChildProcessByStdio<Writable, Readable, null>) {
    this.folder = folder;
    this.#holder = holder;
  }

  static async mount(folder: string): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${MEGABYTES}m tmpfs "$0" && echo mounted && exec cat`;
    // Without a fork, so that this process owns the namespace; it ends with its input.
    const holder = spawn("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script, folder], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const first = await Promise.race([once(holder.stdout, "data"), once(holder, "close")]);
    if (!String(first[0]).startsWith("mounted")) throw new Error(`no file system of its own for ${folder}`);
    return new SmallDisk(folder, holder);
  }

  /** The command prefix that makes the file system visible. */
  get enter(): readonly string[] {
    return ["nsenter", "--user", "--preserve-credentials", "--mount", "--target", String(this.#holder.pid)];
  }

  /** Uses all free space. */
  fill(): void {
    const file = openSync(this.#ballast, "a");
    try {
      for (const piece of [Buffer.alloc(1024 * 1024), Buffer.alloc(512)]) {
        // Ends with an error when the disk is full.
        try {
          for (;;) writeSync(file, piece);
        } catch {}
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Copies the content of the disk to a folder that is visible to all processes. */
  copyTo(target: string): void {
    execFileSync("cp", ["-r", this.#outside(), target]);
  }

  async unmount(): Promise<void> {
    const ended = once(this.#holder, "close");
    this.#holder.stdin.end();
    await ended;
  }

  get #ballast(): string {
    return this.#outside("ballast");
  }

  /** The path of a file on the disk, for processes outside of the namespace. */
  #outside(name = ""): string {
    return join(`/proc/${this.#holder.pid}/root`, this.folder, name);
  }
}
