import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The host that stands for the address until the repository has one. Names that end so never exist. */
const PLACEHOLDER = "address-not-set.invalid";

/** What npm and its page want to know about where a package comes from. */
export interface AddressFields {
  readonly repository: { readonly type: "git"; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
}

/** The address of the repository. It is set in one place: `repository.url` of the root's package.json. */
export function readAddress(root: string): string {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    repository?: { url?: string };
  };
  const url = /^git\+(https:\/\/.+)\.git$/.exec(repository?.url ?? "")?.[1];
  if (url === undefined) {
    const found = repository?.url ?? "absent";
    throw new Error(
      `"repository.url" in package.json is ${found}. Write it as git+https://HOST/OWNER/NAME.git.`,
    );
  }
  return url;
}

/** The fields of a manifest in a folder of the repository; without a folder, of the root's. */
export function addressFields(address: string, folder?: string): AddressFields {
  return {
    repository: {
      type: "git",
      url: `git+${address}.git`,
      ...(folder !== undefined && { directory: folder }),
    },
    homepage: folder === undefined ? `${address}#readme` : `${address}/tree/main/${folder}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

/** Why the address cannot be published, if it cannot. */
export function addressProblem(root: string): string | undefined {
  const address = readAddress(root);
  if (new URL(address).hostname !== PLACEHOLDER) return undefined;
  return `The repository's address is a placeholder, ${address}. Set "repository.url" in package.json, then run \`npm run generate\`.`;
}
