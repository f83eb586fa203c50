import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DENY, World } from "./world.ts";

/** Sets variables of this process for one test. */
function setEnv(values: Readonly<Record<string, string | undefined>>): void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  assign(values);
  onTestFinished(() => assign(before));
}

function assign(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

const GUARDS = {
  sh: { file: "run.sh", content: `#!/bin/sh\ncat >/dev/null\n${DENY}\n` },
  bash: { file: "run.sh", content: `#!/bin/bash\ncat >/dev/null\n${DENY}\n` },
  python: {
    file: "run.py",
    content: `#!/usr/bin/env python3\nimport sys\nsys.stdin.read()\nassert sys.stdin\nsys.stderr.write("denied")\nsys.exit(2)\n`,
  },
  perl: {
    file: "run",
    content: `#!/usr/bin/env perl\nmy @lines = <STDIN>; print STDERR "denied"; exit 2;\n`,
  },
  node: {
    file: "run.js",
    content: `process.stdin.resume().on("end", () => { process.stderr.write("denied"); process.exitCode = 2; });\n`,
  },
} as const;

function guard(world: World, language: keyof typeof GUARDS, frontmatter: Record<string, unknown> = {}): void {
  const { file, content } = GUARDS[language];
  const folder = world.hook(world.userHooks, "guard", frontmatter);
  world.write(join(folder, "scripts", file), content, 0o755);
}

/** A folder of the project with files that each interpreter would load from there. */
function planted(world: World): string {
  const folder = join(world.project, "planted");
  for (let minor = 6; minor < 20; minor++)
    world.write(
      join(folder, "lib", `python3.${minor}`, "site-packages", "usercustomize.py"),
      "import os\nos._exit(0)\n",
    );
  for (let minor = 6; minor < 20; minor++)
    world.write(
      join(folder, ".local", "lib", `python3.${minor}`, "site-packages", "usercustomize.py"),
      "import os\nos._exit(0)\n",
    );
  world.write(join(folder, "openssl.cnf"), "openssl_conf = nothing\n");
  return folder;
}

describe("a guard refuses with", () => {
  test.each<[string, keyof typeof GUARDS, (folder: string) => string]>([
    ["PYTHONUSERBASE", "python", (folder) => folder],
    ["PYTHONOPTIMIZE", "python", () => "1"],
    ["PYTHONHASHSEED", "python", () => "rubbish"],
    ["PYTHONIOENCODING", "python", () => "rubbish"],
    ["PYTHONMALLOC", "python", () => "rubbish"],
    ["PYTHONPYCACHEPREFIX", "python", (folder) => folder],
    ["PYTHONPLATLIBDIR", "python", () => "rubbish"],
    ["LD_TRACE_LOADED_OBJECTS", "sh", () => "1"],
    ["LD_TRACE_LOADED_OBJECTS", "perl", () => "1"],
    ["LD_DEBUG", "bash", () => "help"],
    ["OPENSSL_CONF", "node", (folder) => join(folder, "openssl.cnf")],
    ["NODE_REPL_EXTERNAL_MODULE", "node", (folder) => folder],
    ["LANG", "node", (folder) => folder],
    ["LC_ALL", "node", (folder) => folder],
    ["NODE_V8_COVERAGE", "node", (folder) => join(folder, "openssl.cnf")],
    ["PERL5DB", "perl", () => "BEGIN { exit 0 }"],
    ["PERL_UNICODE", "perl", () => "rubbish"],
    ["FUNCNEST", "bash", () => "1"],
    ["LARGE", "sh", () => "x".repeat(200_000)],
    ["LARGE", "node", () => "x".repeat(200_000)],
  ])("%s set by a project, in %s", async (name, language, value) => {
    const world = new World();
    guard(world, language);
    setEnv({ [name]: value(planted(world)) });
    expect(await world.shell(world.hooks())).toMatchObject({ action: "refuse", reason: "denied" });
  });

  test("HOME changed after the host's start, in python", async () => {
    const world = new World();
    guard(world, "python");
    const hooks = world.hooks();
    setEnv({ HOME: planted(world) });
    expect(await world.shell(hooks)).toMatchObject({ action: "refuse", reason: "denied" });
  });

  test("many variables that are too long together", async () => {
    const world = new World();
    guard(world, "sh");
    const many = Array.from({ length: 60 }, (_, at) => [`MANY_${at}`, "x".repeat(60_000)]);
    setEnv(Object.fromEntries(many));
    expect(await world.shell(world.hooks())).toMatchObject({ action: "refuse", reason: "denied" });
    expect(world.logged).toEqual([expect.stringMatching(/MANY_\d+.*1 MiB/)]);
  });
});

/** The environment that a hook gets. */
async function seenBy(
  world: World,
  frontmatter: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const seen = join(world.root, "seen");
  world.hook(world.userHooks, "reader", frontmatter, `cat >/dev/null; env -0 > ${seen}`);
  await world.shell(world.hooks());
  const pairs = readFileSync(seen, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

describe("a hook's process", () => {
  test("gets no variable of a family that steers an interpreter, the loader, libc, OpenSSL, git or npm", async () => {
    const world = new World();
    const removed = [
      ...["PYTHONANYTHING", "LD_ANYTHING", "DYLD_ANYTHING", "PERL_ANYTHING", "RUBYANYTHING", "NODE_ANYTHING"],
      ...["BASH_ANYTHING", "GIT_ANYTHING", "npm_config_anything", "NPM_CONFIG_ANYTHING", "MALLOC_ANYTHING"],
      ...["OPENSSL_ANYTHING", "GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "POSIXLY_CORRECT", "ENV", "ZDOTDIR"],
      ...["UV_THREADPOOL_SIZE", "TEXTDOMAINDIR", "CDPATH", "GLOBIGNORE", "JAVA_TOOL_OPTIONS", "MAKEFLAGS"],
    ];
    setEnv(Object.fromEntries(removed.map((name) => [name, "1"])));
    const env = await seenBy(world);
    expect(removed.filter((name) => name in env)).toEqual([]);
  });

  test("gets what tools need", async () => {
    const world = new World();
    const ca = world.write(join(world.root, "ca.pem"), "");
    const kept = {
      JAVA_HOME: "/opt/java",
      GOPATH: "/opt/go",
      VIRTUAL_ENV: join(world.project, ".venv"),
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: ca,
      SSL_CERT_FILE: ca,
      TMPDIR: world.root,
      CI: "true",
    };
    setEnv(kept);
    expect(await seenBy(world)).toMatchObject(kept);
  });

  test("gets no file or folder of the project where a tool would read certificates, settings or temporary files", async () => {
    const world = new World();
    const inside = world.write(join(world.project, "ca.pem"), "");
    const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"];
    setEnv({ ...Object.fromEntries(names.map((name) => [name, inside])), TMPDIR: world.project });
    const env = await seenBy(world);
    expect([...names, "TMPDIR"].filter((name) => name in env)).toEqual([]);
  });

  test("gets the host's HOME, and USER, LOGNAME and SHELL of the account", async () => {
    const world = new World();
    setEnv({ USER: "mallory", LOGNAME: "mallory", SHELL: "/tmp/shell", HOME: "/tmp" });
    const env = await seenBy(world);
    expect(env.HOME).toBe(world.home);
    for (const name of ["USER", "LOGNAME", "SHELL"]) expect(env[name]).not.toMatch(/mallory|tmp/);
  });

  test("gets no variable above 64 KiB, and that is reported once", async () => {
    const world = new World();
    setEnv({ LARGE: "x".repeat(65_537), FITTING: "x".repeat(65_000) });
    const env = await seenBy(world, { metadata: { env: ["LARGE"] } });
    expect(env.LARGE).toBeUndefined();
    expect(env.FITTING).toHaveLength(65_000);
    expect(world.logged).toEqual([expect.stringMatching(/^reader: warning: .*LARGE.*64 KiB/)]);
  });

  test.each([
    ...["MYSQL_PWD", "GITHUB_PAT", "SMTP_PASS", "REDIS_URL", "MONGODB_URI", "POSTGRES_URL", "AMQP_URI"],
    "SSHPASS",
  ])("gets no %s, which is a secret", async (name) => {
    const world = new World();
    setEnv({ [name]: "x", OLDPWD: "/", COMPASS: "x" });
    expect(await seenBy(world)).not.toHaveProperty(name);
    expect(await seenBy(world, { metadata: { env: [name] } })).toMatchObject({ [name]: "x", COMPASS: "x" });
  });

  test("gets no URL with a password, whatever its name is", async () => {
    const world = new World();
    setEnv({
      SERVICE: "https://user:hunter2@example.com/x",
      PROXY: "http://proxy:8080",
      JDBC: "jdbc:postgresql://host/db?user=a&password=hunter2",
    });
    const env = await seenBy(world);
    expect(env).toMatchObject({ PROXY: "http://proxy:8080" });
    expect(JSON.stringify(env)).not.toContain("hunter2");
  });

  test("gets the removed variables that its metadata names, unchanged", async () => {
    const world = new World();
    const named = {
      PYTHONUSERBASE: world.project,
      NODE_OPTIONS: "--no-warnings",
      PYTHONPATH: `${world.project}:lib`,
    };
    setEnv(named);
    expect(await seenBy(world, { metadata: { env: Object.keys(named) } })).toMatchObject(named);
  });

  test("that was trusted is changed by a change of the names in its metadata", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", { metadata: { env: ["WANTED_TOKEN"] } }, DENY);
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    world.hook(world.projectHooks, "guard", { metadata: { env: ["WANTED_TOKEN", "PYTHONUSERBASE"] } }, DENY);
    expect((await world.shell(world.hooks())).reason).toMatch(/"guard".*changed.*tenterhook trust/);
  });
});

describe("metadata.env", () => {
  test.each([
    ["GITHUB_TOKEN", /metadata\.env must be a list of names of variables/],
    [["PYTHON*"], /metadata\.env\.0 must be the whole name of a variable/],
    [[5], /metadata\.env\.0 must be the name of a variable/],
    [["A=B"], /metadata\.env\.0 must be the whole name of a variable/],
  ])("%j is an error", async (env, message) => {
    const world = new World();
    world.hook(world.userHooks, "reader", { metadata: { env } }, "exit 0");
    const { findings } = await world.fileHooks().catalogue();
    expect(findings).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringMatching(message) }),
    ]);
  });

  test.each(["PATH", "HOME", "SHELL", "TENTERHOOK_EVENT"])(
    "with %s has no effect, and a warning says so",
    async (name) => {
      const world = new World();
      setEnv({ [name]: "/nonexistent" });
      const metadata = { env: [name] };
      expect((await seenBy(world, { metadata }))[name]).not.toBe("/nonexistent");
      const { findings } = await world.fileHooks().catalogue();
      expect(findings).toEqual([
        expect.objectContaining({ severity: "warning", message: expect.stringContaining(`gets ${name}`) }),
      ]);
    },
  );
});
