import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { warnOnce } from "./warn.ts";

/** A framework's package and the versions of it that an adapter is tested with. */
export interface Peer {
  readonly package: string;
  /** A range of npm, for people. */
  readonly range: string;
  /** The lowest tested version of each major: `6.0.326`; below 1 of each minor: `0.20.0`. */
  readonly versions: readonly string[];
}

/** The installed versions, by package. */
const versions = new Map<string, string | undefined>();

/** Warns if the installed framework is a version that its adapter was not tested with. The version is read once. */
export function checkPeerOnce({ peer }: { readonly peer: Peer }, warn?: (message: string) => void): void {
  const { package: name } = peer;
  if (!versions.has(name)) versions.set(name, readVersion(createRequire(import.meta.url), name));
  checkPeer(peer, versions.get(name), warn);
}

/** Emits one warning, which names the version, if an adapter was not tested with it. An unknown version is not checked. */
export function checkPeer(peer: Peer, version: string | undefined, warn = warnOnce): void {
  if (version === undefined || peer.versions.some((lowest) => isFrom(version, lowest))) return;
  warn(
    `@tenterhook/adapters was not tested with ${peer.package} ${version}, only with ${peer.range}: hooks may not be enforced.`,
  );
}

/** Whether a version has the same major as the lowest one, below 1 the same minor, and is not older. */
function isFrom(version: string, lowest: string): boolean {
  const own = readNumbers(version);
  const low = readNumbers(lowest);
  const fixed = low[0] === 0 ? 2 : 1;
  if (low.slice(0, fixed).some((number, index) => own[index] !== number)) return false;
  const different = low.findIndex((number, index) => own[index] !== number);
  return different < 0 || (own[different] ?? 0) > (low[different] ?? 0);
}

function readNumbers(version: string): readonly number[] {
  return version.split("-", 1).join("").split(".").map(Number);
}

/**
 * The version in a package's manifest; `undefined` if it cannot be read, as in a bundle. `load` is a `require`. A package that does not
 * export its manifest has it in its folder of `node_modules`, or above its code.
 */
export function readVersion(load: Load, packageName: string): string | undefined {
  const direct = readManifest(load, `${packageName}/package.json`, packageName);
  if (direct !== undefined || load.resolve === undefined) return direct;
  // A package that can only be imported is not resolved by `require`.
  for (const modules of load.resolve.paths?.(packageName) ?? []) {
    const version = readManifest(load, join(modules, packageName, "package.json"), packageName);
    if (version !== undefined) return version;
  }
  try {
    let folder = dirname(load.resolve(packageName));
    for (; folder !== dirname(folder); folder = dirname(folder)) {
      const version = readManifest(load, join(folder, "package.json"), packageName);
      if (version !== undefined) return version;
    }
  } catch {
    // It is not installed where this module is.
  }
  return undefined;
}

/** The parts of a `require` that are used here. */
type Load = ((path: string) => unknown) & {
  resolve?: ((path: string) => string) & { paths?(packageName: string): readonly string[] | null };
};

function readManifest(
  load: (path: string) => unknown,
  path: string,
  packageName: string,
): string | undefined {
  try {
    const { name, version } = load(path) as { readonly name?: unknown; readonly version?: unknown };
    return name === packageName && typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
