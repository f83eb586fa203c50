/**
 * A binding: a package with a native program or library, for some systems only.
 * @typedef {{ name: string, version: string, integrity: string | undefined, system: string, required: boolean }} Binding
 * @typedef {{ text: string, required: boolean }} Omission
 * @typedef {{ name?: string, version?: string, integrity?: string, link?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} LockedPackage
 */

/** Where the repository must work: without a binding for one of these, `npm ci` or the build fails. */
const REQUIRED = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
];

/** Where a missing binding gives a warning. */
const WELCOME = ["darwin", "win32"].flatMap((os) =>
  ["x64", "arm64"].map((cpu) => ({ os, cpu, libc: undefined })),
);

/**
 * The bindings that a lockfile names for those systems.
 * @param {Readonly<Record<string, LockedPackage>>} packages the lockfile's `packages`
 * @returns {Binding[]}
 */
export function readBindings(packages) {
  /** @type {Map<string, Binding>} */
  const bindings = new Map();
  for (const [path, locked] of Object.entries(packages)) {
    if (locked.os === undefined && locked.cpu === undefined) continue;
    const required = REQUIRED.filter((system) => runsOn(locked, system));
    const systems = required.length > 0 ? required : WELCOME.filter((system) => runsOn(locked, system));
    if (systems.length === 0) continue;
    const name = locked.name ?? readName(path);
    const version = locked.version ?? "";
    const system = systems.map(({ os, cpu }) => `${os}-${cpu}`).join(", ");
    const { integrity } = locked;
    bindings.set(`${name}@${version}`, { name, version, integrity, system, required: required.length > 0 });
  }
  return [...bindings.values()];
}

/**
 * Bindings that a package asks for and the lockfile lacks. npm leaves an optional dependency out of the lockfile, without a message,
 * when the registry does not have it.
 * @param {Readonly<Record<string, LockedPackage>>} packages the lockfile's `packages`
 * @returns {Omission[]}
 */
export function findOmissions(packages) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, wanted]) => {
      const required = namesSystem(name, REQUIRED);
      if (!required && !namesSystem(name, WELCOME)) return [];
      const locked = resolve(packages, path, name);
      const requester = path === "" ? "the root package" : `${readName(path)}@${parent.version}`;
      if (locked === undefined)
        return { required, text: `${name}@${wanted}: ${requester} asks for it, and the lockfile lacks it` };
      if (/^\d+\.\d+\.\d+[^ ]*$/.test(wanted) && locked.version !== wanted)
        return {
          required,
          text: `${name}@${wanted}: ${requester} asks for it, and the lockfile has ${locked.version}`,
        };
      return [];
    }),
  );
}

/**
 * Packages that npm would install without comparing their content, because the lockfile has no integrity for them. A workspace is
 * a folder of this repository and needs none.
 * @param {Readonly<Record<string, LockedPackage>>} packages the lockfile's `packages`
 * @returns {string[]}
 */
export function findUnchecked(packages) {
  return Object.entries(packages).flatMap(([path, { link, version, integrity }]) =>
    !path.includes("node_modules/") || link === true || integrity !== undefined
      ? []
      : `${readName(path)}@${version}: the lockfile has no integrity for it`,
  );
}

function runsOn({ os, cpu, libc }, system) {
  return (
    allows(os, system.os) &&
    allows(cpu, system.cpu) &&
    (system.libc === undefined || allows(libc, system.libc))
  );
}

/** A list of a manifest's `os`, `cpu` or `libc`: values that are allowed, or values with a `!` that are not. */
function allows(list, value) {
  if (list === undefined || list.length === 0) return true;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((entry) => entry.startsWith("!"));
}

/** A package that the lockfile lacks has no fields to read: its name says what it is for. */
function namesSystem(name, systems) {
  const words = name.toLowerCase().split(/[^a-z0-9_]+/);
  if (words.some((word) => word.startsWith("musl"))) return false;
  return systems.some(
    ({ os, cpu }) =>
      words.some((word) => SYSTEM_WORDS[os].includes(word)) &&
      words.some((word) => CPU_WORDS[cpu].includes(word)),
  );
}

const SYSTEM_WORDS = { linux: ["linux"], darwin: ["darwin", "macos"], win32: ["win32", "windows"] };
const CPU_WORDS = { x64: ["x64", "x86_64", "amd64"], arm64: ["arm64", "aarch64"] };

/** The package that Node would find from a package's folder: its own, or else one further up. */
function resolve(packages, path, name) {
  for (let folder = path; ; folder = parentFolder(folder)) {
    const found = packages[folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    if (found !== undefined || folder === "") return found;
  }
}

function parentFolder(folder) {
  return folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
}

/** The name of a package by its path; a workspace has the path of its folder. */
function readName(path) {
  return path.split("node_modules/").at(-1) ?? path;
}
