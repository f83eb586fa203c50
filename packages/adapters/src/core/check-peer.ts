import { warnOnce } from "./warn.ts";

/** A framework's package and the versions of it that an adapter is tested with. */
export interface Peer {
  readonly package: string;
  /** A range of npm, for people. */
  readonly range: string;
  /** The beginnings of the tested versions: `6.`, `0.20.`. */
  readonly versions: readonly string[];
}

/** Emits one warning, which names the version, if an adapter was not tested with it. An unknown version is not checked. */
export function checkPeer(peer: Peer, version: string | undefined, warn = warnOnce): void {
  if (version === undefined || peer.versions.some((start) => version.startsWith(start))) return;
  warn(
    `@tenterhook/adapters was not tested with ${peer.package} ${version}, only with ${peer.range}: hooks may not be enforced.`,
  );
}

/** The version in a package's manifest; `undefined` if it cannot be read, as in a bundle. `load` is a `require`. */
export function readVersion(load: (path: string) => unknown, packageName: string): string | undefined {
  try {
    const { version } = load(`${packageName}/package.json`) as { readonly version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
