import { execFile } from "node:child_process";

/**
 * What the registry has of a package's version. `unreachable` is any response that says nothing about the package.
 * @typedef {{ type: "found", integrity: string | undefined } | { type: "missing" } | { type: "unreachable", code: string }} Response
 */

/** Two cores are busy with this many; each is a process of npm. */
const AT_ONCE = 4;

/** npm waits for minutes by default. A registry that is there responds at once; one that is not should not delay the message. */
const PATIENCE = {
  npm_config_fetch_retries: "1",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_timeout: "20000",
};

/**
 * Asks the registry that npm is configured with, several at a time. npm itself asks, because only npm knows its certificates, proxies
 * and credentials.
 * @template {{ name: string, version: string }} T
 * @param {readonly T[]} packages
 * @param {string} cache an empty folder: what npm has in its own cache says nothing about the registry
 * @returns {Promise<{ asked: T, response: Response }[]>} in the order of the packages
 */
export async function askRegistry(packages, cache) {
  const responses = [];
  const queue = [...packages.entries()];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, asked] = next;
      responses[index] = { asked, response: await npmView(asked, cache) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return responses;
}

function npmView({ name, version }, cache) {
  const [program, script] = npmCommand();
  const args = [
    "view",
    `${name}@${version}`,
    "name",
    "version",
    "dist.integrity",
    "--json",
    "--cache",
    cache,
  ];
  const options = { env: { ...PATIENCE, ...process.env }, maxBuffer: 1 << 24 };
  return new Promise((resolve) => {
    execFile(program, [...script, ...args], options, (error, stdout, stderr) =>
      resolve(read(error, stdout, stderr, version)),
    );
  });
}

/** The npm that runs this script, if one does: on Windows, what is called npm can only be started by a shell. */
function npmCommand() {
  const { npm_execpath: path = "" } = process.env;
  return /npm-cli\.js$/.test(path) ? [process.execPath, [path]] : ["npm", []];
}

/** npm writes its errors to either stream, by its version. Their text contains the registry's address; their code does not. */
function read(error, stdout, stderr, version) {
  if (error === null) {
    const printed = parse(stdout);
    if (printed?.version === version) return { type: "found", integrity: printed["dist.integrity"] };
    // npm prints nothing for a version that a package does not have, in some of its versions.
    return stdout.trim() === "" ? { type: "missing" } : { type: "unreachable", code: "unreadable response" };
  }
  if (error.code === "ENOENT") return { type: "unreachable", code: "npm cannot be started" };
  const code = parse(stdout)?.error?.code ?? /npm (?:ERR!|error) code (\w+)/.exec(stderr)?.[1];
  if (code === "E404" || code === "ETARGET") return { type: "missing" };
  return { type: "unreachable", code: /^[A-Z][A-Z0-9_]+$/.test(code) ? code : "unreadable response" };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
