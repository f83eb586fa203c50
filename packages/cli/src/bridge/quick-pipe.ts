import { handles } from "./quick-handles.ts";

/** Receives the data of a pipe, and its end. */
export interface PipeReader {
  data(chunk: Buffer): void;
  end(): void;
}

/**
 * Reads standard input as Node's own streams do, but without loading them: a tool call would wait for that, and it takes as long as the
 * rest of the bridge. Returns the function that stops; `undefined` when Node no longer has pipe handles.
 */
export function readPipe(reader: PipeReader): (() => void) | undefined {
  try {
    const { Pipe, constants } = handles("pipe_wrap");
    const pipe = new Pipe(constants.SOCKET);
    pipe.onread = (data) => (data === undefined ? reader.end() : reader.data(Buffer.from(data)));
    if (pipe.open(0) || pipe.readStart()) return undefined;
    return () => void pipe.readStop();
  } catch {
    return undefined;
  }
}
