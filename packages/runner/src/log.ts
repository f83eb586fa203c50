/** Takes one line for each thing that matters to a person. It must not throw. */
export type Log = (line: string) => void;

export const logToStderr: Log = (line) => {
  process.stderr.write(`tenterhook runner: ${line}\n`);
};
