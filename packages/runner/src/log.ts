/** Takes the lines of the log, which are for people. It must not throw. */
export type Log = (line: string) => void;

export const logToStderr: Log = (line) => {
  process.stderr.write(`tenterhook runner: ${line}\n`);
};
