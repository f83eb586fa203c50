import { execFile } from "node:child_process";

/** A registry that is there responds at once; npm by default waits for minutes for one that is not. */
const PATIENCE = {
  npm_config_fetch_retries: "1",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_timeout: "60000",
};

/** Runs npm. A problem is named by npm's code for it: its messages contain the registry's address. */
export function npm(
  args: readonly string[],
): Promise<{ readonly stdout: string } | { readonly problem: string }> {
  const options = { env: { ...PATIENCE, ...process.env }, maxBuffer: 1 << 24 };
  return new Promise((resolve) => {
    execFile("npm", args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ stdout });
      const code = /"code": "(\w+)"/.exec(stdout)?.[1] ?? /npm (?:ERR!|error) code (\w+)/.exec(stderr)?.[1];
      const reason = code ?? (error.code === "ENOENT" ? "npm is not on the PATH" : "unknown error");
      resolve({ problem: `npm ${args[0]} failed (${reason})` });
    });
  });
}
