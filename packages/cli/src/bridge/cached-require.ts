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
 * How many calls store the compiled code. V8 stores the functions that have run, and each of the first calls runs others: one makes the
 * plan, one finds that no hook matches, one runs a hook.
 */
const STORING_CALLS = 5;

type ReplaceFile = (path: string, content: Uint8Array) => void;

/** Writes of compiled code; done once the functions have run, so that they are included. */
const unwritten: ((replaceFile: ReplaceFile) => void)[] = [];

/**
 * `require`, with a cache of the compiled code of the bundle's files, by the documented `cachedData` of `node:vm`. Code of another version
 * of Node or of the file is not used. Whatever is wrong with the cache, the file is compiled.
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
export function storeCompiled(replaceFile: ReplaceFile): void {
  for (const write of unwritten) write(replaceFile);
}

function loadCached(require: NodeJS.Require, bundle: string, own: string, folder: string): unknown {
  const file = `${bundle}/${own}`;
  const { Script } = process.getBuiltinModule("node:vm");
  const source = readFileSync(file, "utf8");
  const { size, ctimeMs } = statSync(file);
  const name = `${encodeURIComponent(file).slice(-120)}-${process.version}-${process.arch}-`;
  const path = `${folder}/${name}${size}-${ctimeMs}`;
  const stored = readStored(path);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(stored !== undefined && { cachedData: stored.code }),
  });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, require, module, file, bundle);
  const calls = script.cachedDataRejected === true ? 0 : (stored?.calls ?? 0);
  if (calls < STORING_CALLS) {
    unwritten.push((replaceFile) => {
      try {
        const code = script.createCachedData();
        replaceFile(path, Buffer.concat([Buffer.of(calls + 1), code, Buffer.from(code).swap64()]));
        removeOld(folder, name, path);
      } catch {
        // The home may be read-only: the next process compiles it again.
      }
    });
  }
  return module.exports;
}

/** Compiled code, and how many calls have stored it, which is the first byte of its file. */
interface StoredCode {
  readonly code: Buffer;
  readonly calls: number;
}

/** `undefined` without a file, and when it is damaged. */
function readStored(path: string): StoredCode | undefined {
  let file: number | undefined;
  try {
    // Without waiting, should a pipe be in its place.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const data = Buffer.allocUnsafeSlow(fstatSync(file).size);
    if (readSync(file, data, 0, data.length, 0) !== data.length) return undefined;
    const calls = data[0] ?? 0;
    const middle = (data.length + 1) / 2;
    const code = data.subarray(1, middle);
    // V8 checks its version and the length only, and crashes on damaged code. So the code is stored twice: to compare two copies takes no
    // time, but Node's checksums take 2 ms to load. The second has its bytes swapped, so that regular damage differs in both.
    const isWhole = calls > 0 && calls <= STORING_CALLS && code.equals(data.subarray(middle).swap64());
    return isWhole ? { code, calls } : undefined;
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
