import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import { addressFields, addressProblem } from "./address.ts";
import { withRelease } from "./changelog.ts";
import { manifestProblems, publicPackages } from "./manifests.ts";
import { WRITTEN_VERSIONS } from "./written-versions.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const script = (name: string) => join(ROOT, "scripts", "dist", name);

function write(folder: string, files: Readonly<Record<string, object | string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** A project with three packages that need each other against the order of their names. */
function project(url: string): string {
  const folder = temporaryFolder();
  const of = (name: string, dependencies: object) => ({
    name,
    version: "1.0.0",
    license: "MIT",
    dependencies,
  });
  write(folder, {
    "package.json": { name: "project", private: true, workspaces: ["packages/*"], repository: { url } },
    "packages/a/package.json": of("a-needs-b", { "b-needs-c": "1.0.0" }),
    "packages/b/package.json": of("b-needs-c", { "c-needs-none": "1.0.0" }),
    "packages/c/package.json": of("c-needs-none", {}),
    "packages/d/package.json": { ...of("d-is-private", {}), private: true },
  });
  return folder;
}

const PLACEHOLDER = "git+https://address-not-set.invalid/tenterhook/tenterhook.git";

describe("the dry run of a release", () => {
  test("lists what would be published, each package behind those that it needs, and sends nothing", async () => {
    const received: string[] = [];
    const registry = createServer(({ method, url }, response) => {
      received.push(`${method} ${url}`);
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void registry.close());
    await once(registry, "listening");
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script("release-dry-run.js"), project(PLACEHOLDER)],
      { env: { ...process.env, npm_config_registry: address } },
    );

    expect([...stdout.matchAll(/^ {2}(\S+) {2}\d+ kB$/gm)].map(([, name]) => name)).toEqual([
      "c-needs-none@1.0.0",
      "b-needs-c@1.0.0",
      "a-needs-b@1.0.0",
    ]);
    expect(stdout).toContain("Not ready to be published. The repository's address is a placeholder");
    expect(stdout).toContain("nothing was published");
    expect(received.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

describe("the packages of this repository", () => {
  test("each is published behind those that it needs", () => {
    const seen = new Set<string>();
    const packages = publicPackages(ROOT);
    const names = packages.map(({ name }) => name);
    for (const { name, dependencies, peerDependencies } of packages) {
      const needed = Object.keys({ ...dependencies, ...peerDependencies }).filter((other) =>
        names.includes(other),
      );
      expect(needed.filter((other) => !seen.has(other))).toEqual([]);
      seen.add(name);
    }
    expect(names.at(-1)).toBe("tenterhook");
    expect(packages.flatMap(manifestProblems)).toEqual([]);
  });

  test("a scoped package without access and a package without keywords are reported", () => {
    expect(manifestProblems({ name: "@scope/a", version: "1.0.0" })).toEqual([
      expect.stringContaining("keywords"),
      expect.stringContaining("publishConfig"),
    ]);
  });
});

describe("the address of the repository", () => {
  test("a placeholder is reported, a real one is not, and a wrong one is an error", () => {
    expect(addressProblem(project(PLACEHOLDER))).toContain(
      "https://address-not-set.invalid/tenterhook/tenterhook",
    );
    expect(addressProblem(project("git+https://github.com/owner/name.git"))).toBeUndefined();
    expect(() => addressProblem(project("github:owner/name"))).toThrow(
      '"repository.url" in package.json is github:',
    );
  });

  test("a package's fields name its folder", () => {
    expect(addressFields("https://host/owner/name", "packages/engine")).toEqual({
      repository: { type: "git", url: "git+https://host/owner/name.git", directory: "packages/engine" },
      homepage: "https://host/owner/name/tree/main/packages/engine#readme",
      bugs: { url: "https://host/owner/name/issues" },
    });
  });
});

describe("a new version", () => {
  test("moves the described changes to the changelog and raises every version, also in the lockfile, once", () => {
    const folder = temporaryFolder();
    const kept = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
      .split("\0")
      .filter((path) =>
        /(^|\/)package(-lock)?\.json$|^CHANGELOG\.md$|^\.changeset\/config\.json$/.test(path),
      );
    const written = WRITTEN_VERSIONS.map(({ path }) => path);
    for (const path of [...kept, ...written])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    write(folder, {
      ".changeset/one.md": '---\n"tenterhook": patch\n---\n\n`runz` suggests `runs`.\n',
      ".changeset/two.md":
        '---\n"@tenterhook/engine": minor\n---\n\nHooks can be listed.\n\nWith their events.\n',
    });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], {
        cwd: folder,
      });
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "--message", "All");
    const before = publicPackages(folder)[0]?.version;

    execFileSync(process.execPath, [script("release-version.js"), folder]);

    const version = publicPackages(folder)[0]?.version;
    expect(version).not.toBe(before);
    expect(new Set(publicPackages(folder).map((manifest) => manifest.version))).toEqual(new Set([version]));
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toContain(
      `## ${version}\n\n### New\n\n- Hooks can be listed.\n\n  With their events.\n\n### Fixed\n\n- \`runz\` suggests \`runs\`.\n\n## ${before}\n`,
    );
    const manifests = kept.filter((path) => path.endsWith("package.json") || path === "package-lock.json");
    const stale = manifests.filter((path) =>
      new RegExp(`"@?tenterhook(/.*)?": "${before}"`).test(readFileSync(join(folder, path), "utf8")),
    );
    expect(stale).toEqual([]);
    for (const path of written) {
      const text = readFileSync(join(ROOT, path), "utf8");
      expect(readFileSync(join(folder, path), "utf8")).toBe(text.replace(before ?? "", version ?? ""));
    }
    const again = () =>
      execFileSync(process.execPath, [script("release-version.js"), folder], { stdio: "pipe" });
    expect(again).toThrow("There is no change to release. `npx changeset` describes one.");
  });

  test("a changelog without the line for releases is an error", () => {
    expect(() => withRelease("# Changelog\n", "1.0.0", [])).toThrow("CHANGELOG.md lacks the line");
  });
});
