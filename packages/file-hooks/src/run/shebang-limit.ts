/**
 * How many bytes of a #! line Linux reads, since version 5.1; the other systems read more. Beyond it, an argument loses
 * its end, and a path that is cut makes the C library start the script with `sh`: a guard in Python would run as a shell
 * script, whatever that does.
 */
const LIMIT = 255;

/** Why a #! line cannot be left to the system; `undefined` when it can. */
export function shebangProblem(script: string, line: string): string | undefined {
  const length = Buffer.byteLength(line);
  if (length <= LIMIT) return undefined;
  return `the #! line of ${script} has ${length} bytes, and the system reads ${LIMIT}; shorten it, for example with #!/usr/bin/env`;
}
