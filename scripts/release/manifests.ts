import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Versions = Readonly<Record<string, string>>;

/** What the release reads of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly keywords?: readonly string[];
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
}

/**
 * The packages that are published, each behind those that it needs: a package that is published first could not be installed. The command
 * comes last, because its pages name the others.
 */
export function publicPackages(root: string): readonly Manifest[] {
  const manifests = readdirSync(join(root, "packages"))
    .map((name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as Manifest)
    .filter((manifest) => manifest.private !== true);
  const ordered = new Set<Manifest>();
  const add = (manifest: Manifest, path: readonly Manifest[]): void => {
    if (ordered.has(manifest)) return;
    if (path.includes(manifest)) {
      const names = [...path, manifest].map(({ name }) => name);
      throw new Error(`Packages need each other: ${names.join(" -> ")}.`);
    }
    for (const needed of neededBy(manifest, manifests)) add(needed, [...path, manifest]);
    ordered.add(manifest);
  };
  const isCommand = ({ name }: Manifest) => !name.startsWith("@");
  for (const manifest of manifests.filter((each) => !isCommand(each))) add(manifest, []);
  for (const manifest of manifests.filter(isCommand)) add(manifest, []);
  return [...ordered];
}

function neededBy(manifest: Manifest, manifests: readonly Manifest[]): readonly Manifest[] {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return manifests.filter(({ name }) => names.includes(name));
}

/** What a published package lacks in its `package.json`, a line each. */
export function manifestProblems({ name, keywords = [], publishConfig }: Manifest): readonly string[] {
  return [
    ...(keywords.length > 0 ? [] : [`${name}: it has no keywords, by which npm's search finds it`]),
    ...(!name.startsWith("@") || publishConfig?.access === "public"
      ? []
      : [`${name}: without "publishConfig": { "access": "public" } npm refuses to publish a scoped package`]),
  ];
}
