import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

const PYTHON = `#!/usr/bin/env python3
import sys
sys.stdin.read()
sys.stderr.write("not here")
sys.exit(2)
`;

/** A guard in Python that is installed for Claude Code, and a folder of the project with modules that Python would load. */
async function guarded(): Promise<{ readonly claude: InstalledClaude; readonly planted: string }> {
  const sandbox = new CommandSandbox();
  const folder = sandbox.hook("guard", { scope: "user" });
  sandbox.write(join(folder, "scripts", "run.py"), PYTHON, 0o755);
  const planted = join(sandbox.project, "planted");
  for (const base of [planted, join(planted, ".local")])
    for (let minor = 6; minor < 20; minor++)
      sandbox.write(
        join(base, "lib", `python3.${minor}`, "site-packages", "usercustomize.py"),
        "import os\nos._exit(0)\n",
      );
  return { claude: await InstalledClaude.install(sandbox), planted };
}

describe("a guard behind the installed command", () => {
  test("refuses with any variable that a project sets, and without a message beside its reason", async () => {
    const { claude, planted } = await guarded();
    const values: Record<string, string> = {
      PYTHONUSERBASE: planted,
      PYTHONHASHSEED: "rubbish",
      PYTHONMALLOC: "rubbish",
      HOME: planted,
      OPENSSL_CONF: planted,
      NODE_OPTIONS: "--rubbish",
      NODE_COMPILE_CACHE: planted,
      GLIBC_TUNABLES: "rubbish",
      MALLOC_PERTURB_: "1",
      UV_THREADPOOL_SIZE: "rubbish",
      LC_CTYPE: "rubbish",
      LARGE: "x".repeat(120_000),
      LINES: "a\nexport LD_PRELOAD=x\nexport PATH=x\nexport node=x\n",
      node: "rubbish",
      name: "rubbish",
      IFS: "x",
      TENTERHOOK_SET_ASIDE_PYTHONUSERBASE: planted,
      TENTERHOOK_SET_ASIDE_PATH: planted,
    };
    const cases = [...Object.entries(values).map(([name, value]) => ({ [name]: value })), values];
    const ran: unknown[] = [];
    for (const env of cases) {
      const { code, stderr } = await claude.call("ls", env);
      ran.push([Object.keys(env).join(), code, stderr]);
    }
    expect(ran).toEqual(cases.map((env) => [Object.keys(env).join(), 2, "not here\n"]));
  });

  test("refuses with so many variables that no other would fit", async () => {
    const { claude } = await guarded();
    const many = Array.from({ length: 16 }, (_, at) => [`MANY_${at}`, "x".repeat(120_000)]);
    const small = Array.from({ length: 2_000 }, (_, at) => [`SMALL_${at}`, "x".repeat(10)]);
    const { code, stderr } = await claude.call("ls", {
      ...Object.fromEntries([...many, ...small]),
      node: "rubbish",
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "not here\n" });
  });

  test("gets variables that it names although they would steer the bridge, and no others of them", async () => {
    const sandbox = new CommandSandbox();
    const seen = join(sandbox.root, "seen");
    sandbox.hook("reader", {
      scope: "user",
      fields: ["metadata:", "  env: [NODE_OPTIONS, LD_BIND_NOW]"],
      script: `cat >/dev/null; env > ${seen}`,
    });
    const claude = await InstalledClaude.install(sandbox);
    const ca = sandbox.write(join(sandbox.root, "ca.pem"), "");
    const env = {
      NODE_OPTIONS: "--rubbish",
      NODE_DEBUG: "fs",
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: ca,
      HOME: sandbox.project,
    };
    expect(await claude.call("ls", env)).toMatchObject({ code: 0, stderr: "" });
    const got = readFileSync(seen, "utf8").split("\n");
    for (const line of [
      "NODE_OPTIONS=--rubbish",
      "NODE_ENV=test",
      `NODE_EXTRA_CA_CERTS=${ca}`,
      `HOME=${sandbox.home}`,
    ])
      expect(got).toContain(line);
    expect(got.filter((line) => /^(?:NODE_DEBUG|TENTERHOOK_SET_ASIDE|HOME=.*project)/.test(line))).toEqual(
      [],
    );
  });
});
