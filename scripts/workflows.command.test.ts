import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FILES = readdirSync(join(ROOT, ".github"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".yml"),
);

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly "runs-on": string;
  readonly "continue-on-error"?: boolean;
  readonly strategy: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const { jobs } = read(".github/workflows/ci.yml") as Workflow;
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

/** Parses strictly: a key that is there twice or a tab is an error. */
function read(path: string): unknown {
  const document = parseDocument(readFileSync(join(ROOT, path), "utf8"), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

describe("the workflows", () => {
  test.each(FILES)(".github/%s is valid YAML with a mapping on top", (name) => {
    expect(read(`.github/${name}`)).toBeTypeOf("object");
  });

  test("Linux runs .ci/run on x64 and arm64 with every supported Node, and may not fail", () => {
    const { linux } = jobs;
    expect(linux?.steps.filter(({ run }) => run !== undefined)).toEqual([{ run: ".ci/run" }]);
    expect(linux?.strategy.matrix).toEqual({
      processor: [
        { name: "x64", runner: "ubuntu-24.04" },
        { name: "arm64", runner: "ubuntu-24.04-arm" },
      ],
      node: [20, 22, 24, 26],
    });
    expect(linux?.["continue-on-error"]).toBeUndefined();
  });

  test("macOS and Windows build, test and check the release with every supported Node, and may fail", () => {
    const { experimental } = jobs;
    const commands = experimental?.steps.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(["npm ci", "npm run build", "npm test", "npm run release:check"]);
    expect(experimental?.strategy.matrix).toEqual({
      system: ["macos-15", "windows-2025"],
      node: [20, 22, 24, 26],
    });
    expect(experimental?.["continue-on-error"]).toBe(true);
    expect(readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8")).toMatch(
      /macOS and\s+Windows[^.]*never seen to pass/,
    );
  });

  test("the full check runs each night and at a tag, on x64 and arm64, and may not fail", () => {
    const { on, jobs: nightly } = read(".github/workflows/nightly.yml") as Workflow;
    expect(on).toMatchObject({ schedule: [{ cron: expect.any(String) }], push: { tags: ["v*"] } });
    const { linux } = nightly;
    expect(linux?.steps.filter(({ run }) => run !== undefined)).toEqual([{ run: "npm run test:full" }]);
    expect(linux?.strategy.matrix.processor).toEqual(jobs.linux?.strategy.matrix.processor);
    expect(linux?.["continue-on-error"]).toBeUndefined();
  });

  test("the full check has every step of .ci/run, or a wider form of it", () => {
    const full = listSteps("--full");
    const narrower = listSteps().filter((step) => !full.includes(step));
    expect(narrower.length).toBeGreaterThan(0);
    for (const step of narrower) expect(full).toContain(step.replace(/ -- .*$/, ""));
  });

  test("every script that a workflow, .ci/run, a template or CONTRIBUTING.md names exists", () => {
    const files = [...FILES.map((name) => `.github/${name}`), "scripts/ci.mjs", "CONTRIBUTING.md"];
    const named = [...files, ".github/pull_request_template.md"].flatMap((path) =>
      [...readFileSync(join(ROOT, path), "utf8").matchAll(/npm run ([a-z][a-z:-]*)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test(".ci/run may be executed and is a valid script", () => {
    expect(statSync(join(ROOT, ".ci/run")).mode & 0o111).not.toBe(0);
    execFileSync("bash", ["-n", join(ROOT, ".ci/run")]);
    expect(readFileSync(join(ROOT, ".ci/run"), "utf8")).toContain("exec node scripts/ci.mjs\n");
  });
});

function listSteps(...options: readonly string[]): readonly string[] {
  const args = [join(ROOT, "scripts/ci.mjs"), "--list", ...options];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trimEnd().split("\n");
}
