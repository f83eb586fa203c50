import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { ended, linkCommand, type Ran } from "./command-sandbox.ts";

type Started = ChildProcessWithoutNullStreams;

/** Long-running commands in their own processes, with a data folder; for the tests of one file. */
export class RunningCommands {
  readonly root = temporaryFolder();
  readonly data = join(this.root, "data");
  readonly #command = linkCommand(join(temporaryFolder(), "bin"));
  readonly #started = new Set<Service>();
  readonly #spawned = new Set<Started>();

  /** Starts a command that runs until it is ended. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Service {
    const child = this.#spawn([...args, "--data", this.data], env);
    child.stdin.end();
    const service = new Service(child);
    this.#started.add(service);
    return service;
  }

  /** Runs a command to its end. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): Promise<Ran> {
    const child = this.#spawn([...args, "--data", this.data], env);
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return ended(child);
  }

  async json<T>(args: readonly string[]): Promise<T> {
    const { stdout } = await this.run([...args, "--json"]);
    return JSON.parse(stdout) as T;
  }

  /** Sends a request to the coordinator of the data folder, without a process, for polling. */
  async get<T>(path: string): Promise<T> {
    return (await (await this.request("GET", path)).json()) as T;
  }

  /** The same for any method. */
  request(method: string, path: string, body?: object): Promise<Response> {
    const read = (name: string) => readFileSync(join(this.data, name), "utf8").trim();
    return fetch(`${read("address")}${path}`, {
      method,
      headers: { authorization: `Bearer ${read("token")}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#started].map((service) => service.end("SIGTERM")));
    // Processes that a failed test left running.
    for (const child of this.#spawned) child.kill("SIGKILL");
  }

  #spawn(args: readonly string[], env: Readonly<Record<string, string>>): Started {
    // The embedded database opens in half the time without the optimising compiler.
    const child = spawn(process.execPath, ["--liftoff-only", this.#command, ...args], {
      cwd: this.root,
      env: { PATH: `${dirname(this.#command)}:${process.env.PATH}`, HOME: this.root, ...env },
      stdio: "pipe",
    });
    this.#spawned.add(child);
    child.once("exit", () => this.#spawned.delete(child));
    return child;
  }
}

/** A running command. */
export class Service {
  readonly process: Started;
  readonly #ran: Promise<Ran>;
  #output = "";

  constructor(started: Started) {
    this.process = started;
    this.#ran = ended(started);
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (text: string) => {
        this.#output += text;
        started.emit("output");
      });
    }
  }

  /** All output so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits for output that matches; rejects when the command ends without it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return found;
      const more = once(this.process, "output").then(() => "more");
      const end = this.#ran.then(() => "ended");
      if ((await Promise.race([more, end])) === "ended" && pattern.exec(this.#output) === null) {
        throw new Error(`it ended without printing ${pattern}:\n${this.#output}`);
      }
    }
  }

  /** The result of the command when it has ended by itself. */
  get ran(): Promise<Ran> {
    return this.#ran;
  }

  /** Ends the command and returns its result. */
  end(signal: NodeJS.Signals): Promise<Ran> {
    this.process.kill(signal);
    return this.#ran;
  }
}
