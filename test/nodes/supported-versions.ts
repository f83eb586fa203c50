import { npm } from "./npm.ts";

/** A line of Node that is tested, and the version of it that npm has; or why there is none. */
export type SupportedVersion =
  | { readonly line: string; readonly version: string }
  | { readonly line: string; readonly problem: string };

/** The oldest that is supported, and the newest of each line that gets updates. */
const OLDEST = "20.19.0";
const NEWEST_OF = ["20.20", "22", "24", "26"];

/** Which versions to test, of those that a package of Node has in the registry. */
export async function supportedVersions(packageName: string): Promise<readonly SupportedVersion[]> {
  const oldest = { line: OLDEST, version: OLDEST };
  const response = await npm(["view", packageName, "versions", "--json"]);
  if ("problem" in response) {
    const problem = `its newest version is unknown: ${response.problem}`;
    return [oldest, ...NEWEST_OF.map((line) => ({ line, problem }))];
  }
  const versions = JSON.parse(response.stdout) as readonly string[];
  return [oldest, ...NEWEST_OF.map((line) => newestOf(line, versions))];
}

/** The newest release of a line, such as "22" or "20.20". */
export function newestOf(line: string, versions: readonly string[]): SupportedVersion {
  const releases = versions.filter((version) => version.startsWith(`${line}.`) && /^[\d.]+$/.test(version));
  const [newest] = releases.sort(byVersion).reverse();
  return newest === undefined ? { line, problem: "npm has no version of it" } : { line, version: newest };
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
