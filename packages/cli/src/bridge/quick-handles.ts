/** The parts of Node beneath its streams and processes, as far as the bridge uses them. */
export interface PipeHandle {
  open(fd: number): number;
  onread: (data: ArrayBuffer | undefined) => void;
  readStart(): number;
  readStop(): number;
  writeUtf8String(request: Request, text: string): number;
  shutdown(request: Request): number;
  close(): void;
}

export interface ProcessHandle {
  readonly pid: number;
  onexit: (code: number, signal: NodeJS.Signals | "") => void;
  spawn(options: SpawnOptions): number;
  unref(): void;
  close(): void;
}

export interface SpawnOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly envPairs: readonly string[];
  readonly detached: boolean;
  readonly stdio: readonly { readonly type: "pipe"; readonly handle: PipeHandle }[];
}

/** An asynchronous request to a handle, and its callback. */
export interface Request {
  oncomplete: () => void;
}

export interface Handles {
  readonly pipe_wrap: {
    readonly Pipe: new (type: number) => PipeHandle;
    readonly constants: { readonly SOCKET: number };
  };
  readonly process_wrap: { readonly Process: new () => ProcessHandle };
  readonly stream_wrap: { readonly WriteWrap: new () => Request; readonly ShutdownWrap: new () => Request };
}

/** Throws when Node no longer has `process.binding`: it is deprecated, and no removal is planned. */
export function handles<Name extends keyof Handles>(name: Name): Handles[Name] {
  const { binding } = process as unknown as { binding(name: Name): Handles[Name] };
  return binding.call(process, name);
}
