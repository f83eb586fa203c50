import { handles, type PipeHandle, type ProcessHandle } from "./quick-handles.ts";

/** How a process is started here: with three pipes, and in a group of its own. */
export interface QuickStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Listener = (...values: never[]) => void;

/** Emits events to its listeners. Every event here is emitted once, except `data`, so `once` is the same as `on`. */
class Events {
  readonly #listeners = new Map<string, Listener[]>();

  on(name: string, listener: Listener): this {
    const others = this.#listeners.get(name);
    if (others === undefined) this.#listeners.set(name, [listener]);
    else others.push(listener);
    return this;
  }

  once(name: string, listener: Listener): this {
    return this.on(name, listener);
  }

  protected emit(name: string, ...values: unknown[]): void {
    for (const listener of this.#listeners.get(name) ?? [])
      (listener as (...all: unknown[]) => void)(...values);
  }
}

/** The output of a process. */
class Output extends Events {
  readonly #pipe: PipeHandle;
  readonly #ended: () => void;
  #isOpen = true;

  constructor(pipe: PipeHandle, ended: () => void) {
    super();
    this.#pipe = pipe;
    this.#ended = ended;
    pipe.onread = (data) => {
      if (!this.#isOpen) return;
      // A broken pipe delivers nothing more.
      if (data === undefined) this.destroy();
      else this.emit("data", Buffer.from(data));
    };
  }

  read(): void {
    if (this.#pipe.readStart()) this.destroy();
  }

  destroy(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#pipe.close();
    this.#ended();
  }
}

/** The input of a process. The process may end, or close it, before it has read everything. */
class Input extends Events {
  readonly #pipe: PipeHandle;
  #isOpen = true;

  constructor(pipe: PipeHandle) {
    super();
    this.#pipe = pipe;
  }

  end(text: string): void {
    const { WriteWrap, ShutdownWrap } = handles("stream_wrap");
    const written = new WriteWrap();
    written.oncomplete = () => undefined;
    const closed = new ShutdownWrap();
    closed.oncomplete = () => this.destroy();
    const failed = text !== "" && this.#pipe.writeUtf8String(written, text) !== 0;
    // Zero: it is closed once everything was written; `oncomplete` is called then.
    if (failed || this.#pipe.shutdown(closed) !== 0) this.destroy();
  }

  destroy(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#pipe.close();
  }
}

/** A process and its three pipes. */
interface Started {
  readonly process: ProcessHandle;
  readonly pipes: readonly [PipeHandle, PipeHandle, PipeHandle];
}

/** Starts a process; `undefined` when it cannot be started in this way, and nothing is left of it then. */
export function startQuickly(start: QuickStart): QuickChild | undefined {
  const started = startProcess(start);
  return started === undefined ? undefined : new QuickChild(started);
}

function startProcess({ command, args, cwd, env }: QuickStart): Started | undefined {
  try {
    handles("stream_wrap");
    const { Pipe, constants } = handles("pipe_wrap");
    const pipe = () => new Pipe(constants.SOCKET);
    const pipes = [pipe(), pipe(), pipe()] as const;
    const process = new (handles("process_wrap").Process)();
    const pairs = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${value}`,
    );
    const failed = process.spawn({
      file: command,
      args: [command, ...args],
      cwd,
      envPairs: pairs,
      detached: true,
      stdio: pipes.map((handle) => ({ type: "pipe", handle })),
    });
    if (failed === 0) return { process, pipes };
    for (const each of [process, ...pipes]) each.close();
    return undefined;
  } catch {
    return undefined;
  }
}

/** A process that runs, with as much of Node's `ChildProcess` as the engine uses. */
export class QuickChild extends Events {
  readonly pid: number;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly #process: ProcessHandle;
  /** Its end, and that of both outputs. */
  #left = 3;

  /** Called in the tick in which the process was started, so that no event is missed. */
  constructor({ process, pipes }: Started) {
    super();
    this.#process = process;
    this.pid = process.pid;
    this.stdin = new Input(pipes[0]);
    this.stdout = new Output(pipes[1], () => this.#ended());
    this.stderr = new Output(pipes[2], () => this.#ended());
    process.onexit = (code, signal) => {
      process.close();
      this.stdin.destroy();
      this.emit("exit", signal ? null : code, signal || null);
      this.#ended();
    };
    this.stdout.read();
    this.stderr.read();
  }

  unref(): void {
    this.#process.unref();
  }

  #ended(): void {
    if (--this.#left === 0) this.emit("close");
  }
}
