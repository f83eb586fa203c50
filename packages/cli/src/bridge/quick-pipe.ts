import { readSync } from "node:fs";
import { handles, type PipeHandle } from "./quick-handles.ts";

/** Receives the data of a pipe, and its end. */
export interface PipeReader {
  data(chunk: Buffer): void;
  end(): void;
}

const CHUNK = 65_536;

/**
 * Standard input, read without Node's streams: a tool call would wait for loading them, which takes as long as the rest of the bridge.
 */
export class QuickPipe {
  readonly #pipe: PipeHandle;

  private constructor(pipe: PipeHandle) {
    this.#pipe = pipe;
  }

  /** `undefined` when Node no longer has pipe handles. */
  static open(): QuickPipe | undefined {
    try {
      const { Pipe, constants } = handles("pipe_wrap");
      const pipe = new Pipe(constants.SOCKET);
      return pipe.open(0) ? undefined : new QuickPipe(pipe);
    } catch {
      return undefined;
    }
  }

  /** What can be read at this moment: empty at the end, `undefined` when nothing has come yet. */
  readNow(): Buffer | undefined {
    // Opening has made it non-blocking, but not on Windows.
    if (process.platform === "win32") return undefined;
    try {
      const chunk = Buffer.allocUnsafeSlow(CHUNK);
      return chunk.subarray(0, readSync(0, chunk, 0, CHUNK, null));
    } catch {
      return undefined;
    }
  }

  /** Reads what comes from now on. Returns the function that stops; `undefined` when it cannot be read. */
  readLater(reader: PipeReader): (() => void) | undefined {
    this.#pipe.onread = (data) => (data === undefined ? reader.end() : reader.data(Buffer.from(data)));
    return this.#pipe.readStart() ? undefined : () => void this.#pipe.readStop();
  }
}
