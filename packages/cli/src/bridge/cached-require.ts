import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";

/**
 * How many calls keep the code. V8 keeps the functions that have run, and each of the first calls runs others: one makes the plan,
 * one finds that no hook matches, one asks a hook.
 */
const KEEPING_CALLS = 5;

type ReplaceFile = (path: string, content: Uint8Array) => void;

/** Writes of compiled code; done once the functions have run, so that they are included. */
const unwritten: ((replaceFile: ReplaceFile) => void)[] = [];

/**
 * `require`, with a cache of the compiled code of the bundle's files. Node 22 has one itself, Node 20 does not. Code that V8 does not
 * accept, because it is of another version or of another file, is compiled anew.
 */
export function cachedRequire(plain: NodeJS.Require, bundle: string, cache: string): NodeJS.Require {
  const loaded = new Map<string, unknown>();
  const cached = Object.assign((id: string): unknown => {
    if (!loaded.has(id)) {
      const isOwn = id.startsWith("./");
      loaded.set(id, isOwn ? loadCached(cached, bundle, id.slice(2), `${cache}/bridge/code`) : plain(id));
    }
    return loaded.get(id);
  }, plain);
  return cached;
}

/** Writes what was compiled, after the answer was given. */
export function keepCompiled(replaceFile: ReplaceFile): void {
  for (const write of unwritten) write(replaceFile);
}

function loadCached(require: NodeJS.Require, bundle: string, own: string, folder: string): unknown {
  const file = `${bundle}/${own}`;
  const { Script } = process.getBuiltinModule("node:vm");
  // Node reads UTF-8 without the code that it needs for anything else.
  const source = readFileSync(file, "utf8");
  const { size, mtimeMs } = statSync(file);
  const name = `${encodeURIComponent(file).slice(-120)}-${process.version}-${process.arch}-`;
  const path = `${folder}/${name}${size}-${mtimeMs}`;
  const kept = readIfExists(path);
  // The build has wrapped it in a function: wrapping it here would need a second copy.
  const script = new Script(source, { filename: file, ...(kept !== undefined && { cachedData: kept.code }) });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, require, module, file, bundle);
  const calls = script.cachedDataRejected === true ? 0 : (kept?.calls ?? 0);
  if (calls < KEEPING_CALLS) {
    unwritten.push((replaceFile) => {
      try {
        replaceFile(path, Buffer.concat([script.createCachedData(), Buffer.of(calls + 1)]));
        removeOld(folder, name, path);
      } catch {
        // The home may be read-only: the next process compiles it again.
      }
    });
  }
  return module.exports;
}

/** Compiled code, and how many calls have kept it, which its file has in its last byte. */
interface KeptCode {
  readonly code: Buffer;
  readonly calls: number;
}

function readIfExists(path: string): KeptCode | undefined {
  let file: number | undefined;
  try {
    // Without waiting, should a pipe stand in its place; what that gives is no code.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const data = Buffer.allocUnsafeSlow(fstatSync(file).size);
    if (readSync(file, data, 0, data.length, 0) !== data.length) return undefined;
    const calls = data.at(-1) ?? 0;
    // V8 checks the length of the code only. Without the count, the end of the file was never written, or it is another file.
    return calls > 0 && calls <= KEEPING_CALLS ? { code: data.subarray(0, -1), calls } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The old code of a rebuilt file is no longer needed. */
function removeOld(folder: string, name: string, path: string): void {
  for (const each of readdirSync(folder).map((file) => `${folder}/${file}`))
    if (each.startsWith(`${folder}/${name}`) && each !== path) rmSync(each, { force: true });
}
