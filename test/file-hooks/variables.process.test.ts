import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

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

function guard(
  sandbox: FileHooksSandbox,
  language: keyof typeof GUARDS,
  frontmatter: Record<string, unknown> = {},
): void {
  const { file, content } = GUARDS[language];
  const folder = sandbox.hook(sandbox.userHooks, "guard", frontmatter);
  sandbox.write(join(folder, "scripts", file), content, 0o755);
}

/** A folder of the project with files that each interpreter would load from there. */
function planted(sandbox: FileHooksSandbox): string {
  const folder = join(sandbox.project, "planted");
  for (let minor = 6; minor < 20; minor++)
    sandbox.write(
      join(folder, "lib", `python3.${minor}`, "site-packages", "usercustomize.py"),
      "import os\nos._exit(0)\n",
    );
  for (let minor = 6; minor < 20; minor++)
    sandbox.write(
      join(folder, ".local", "lib", `python3.${minor}`, "site-packages", "usercustomize.py"),
      "import os\nos._exit(0)\n",
    );
  sandbox.write(join(folder, "openssl.cnf"), "openssl_conf = nothing\n");
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
    const sandbox = new FileHooksSandbox();
    guard(sandbox, language);
    setEnv({ [name]: value(planted(sandbox)) });
    expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "refuse", reason: "denied" });
  });

  test("HOME changed after the host's start, in python", async () => {
    const sandbox = new FileHooksSandbox();
    guard(sandbox, "python");
    const hooks = sandbox.hooks();
    setEnv({ HOME: planted(sandbox) });
    expect(await sandbox.shell(hooks)).toMatchObject({ action: "refuse", reason: "denied" });
  });

  test("many variables that are too long together", async () => {
    const sandbox = new FileHooksSandbox();
    guard(sandbox, "sh");
    const many = Array.from({ length: 60 }, (_, at) => [`MANY_${at}`, "x".repeat(60_000)]);
    setEnv(Object.fromEntries(many));
    expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "refuse", reason: "denied" });
    expect(sandbox.logged).toEqual([expect.stringMatching(/MANY_\d+.*1 MiB/)]);
  });
});

/** The environment that a hook gets. */
async function seenBy(
  sandbox: FileHooksSandbox,
  frontmatter: Record<string, unknown> = {},
): Promise<Record<string, string>> {
  const seen = join(sandbox.root, "seen");
  sandbox.hook(sandbox.userHooks, "reader", frontmatter, `cat >/dev/null; env -0 > ${seen}`);
  await sandbox.shell(sandbox.hooks());
  const pairs = readFileSync(seen, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}

describe("a hook's process", () => {
  test("gets no variable of a family that steers an interpreter, the loader, libc, OpenSSL, git or npm", async () => {
    const sandbox = new FileHooksSandbox();
    const removed = [
      ...["PYTHONANYTHING", "LD_ANYTHING", "DYLD_ANYTHING", "PERL_ANYTHING", "RUBYANYTHING", "NODE_ANYTHING"],
      ...["BASH_ANYTHING", "GIT_ANYTHING", "npm_config_anything", "NPM_CONFIG_ANYTHING", "MALLOC_ANYTHING"],
      ...["OPENSSL_ANYTHING", "GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "POSIXLY_CORRECT", "ENV", "ZDOTDIR"],
      ...["UV_THREADPOOL_SIZE", "TEXTDOMAINDIR", "CDPATH", "GLOBIGNORE", "JAVA_TOOL_OPTIONS", "MAKEFLAGS"],
    ];
    setEnv(Object.fromEntries(removed.map((name) => [name, "1"])));
    const env = await seenBy(sandbox);
    expect(removed.filter((name) => name in env)).toEqual([]);
  });

  test("gets what tools need", async () => {
    const sandbox = new FileHooksSandbox();
    const ca = sandbox.write(join(sandbox.root, "ca.pem"), "");
    const kept = {
      JAVA_HOME: "/opt/java",
      GOPATH: "/opt/go",
      VIRTUAL_ENV: join(sandbox.project, ".venv"),
      NODE_ENV: "test",
      NODE_EXTRA_CA_CERTS: ca,
      SSL_CERT_FILE: ca,
      TMPDIR: sandbox.root,
      CI: "true",
    };
    setEnv(kept);
    expect(await seenBy(sandbox)).toMatchObject(kept);
  });

  test("gets no file or folder of the project where a tool would read certificates, settings or temporary files", async () => {
    const sandbox = new FileHooksSandbox();
    const inside = sandbox.write(join(sandbox.project, "ca.pem"), "");
    const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"];
    setEnv({ ...Object.fromEntries(names.map((name) => [name, inside])), TMPDIR: sandbox.project });
    const env = await seenBy(sandbox);
    expect([...names, "TMPDIR"].filter((name) => name in env)).toEqual([]);
  });

  test("gets the host's HOME, and USER, LOGNAME and SHELL of the account", async () => {
    const sandbox = new FileHooksSandbox();
    setEnv({ USER: "mallory", LOGNAME: "mallory", SHELL: "/tmp/shell", HOME: "/tmp" });
    const env = await seenBy(sandbox);
    expect(env.HOME).toBe(sandbox.home);
    for (const name of ["USER", "LOGNAME", "SHELL"]) expect(env[name]).not.toMatch(/mallory|tmp/);
  });

  test("gets no variable above 64 KiB, and that is reported once", async () => {
    const sandbox = new FileHooksSandbox();
    setEnv({ LARGE: "x".repeat(65_537), FITTING: "x".repeat(65_000) });
    const env = await seenBy(sandbox, { metadata: { env: ["LARGE"] } });
    expect(env.LARGE).toBeUndefined();
    expect(env.FITTING).toHaveLength(65_000);
    expect(sandbox.logged).toEqual([expect.stringMatching(/^reader: warning: .*LARGE.*64 KiB/)]);
  });

  test.each([
    ...["MYSQL_PWD", "GITHUB_PAT", "SMTP_PASS", "REDIS_URL", "MONGODB_URI", "POSTGRES_URL", "AMQP_URI"],
    "SSHPASS",
  ])("gets no %s, which is a secret", async (name) => {
    const sandbox = new FileHooksSandbox();
    setEnv({ [name]: "x", OLDPWD: "/", COMPASS: "x" });
    expect(await seenBy(sandbox)).not.toHaveProperty(name);
    expect(await seenBy(sandbox, { metadata: { env: [name] } })).toMatchObject({ [name]: "x", COMPASS: "x" });
  });

  test("gets no URL with a password, whatever its name is", async () => {
    const sandbox = new FileHooksSandbox();
    setEnv({
      SERVICE: "https://user:hunter2@example.com/x",
      PROXY: "http://proxy:8080",
      JDBC: "jdbc:postgresql://host/db?user=a&password=hunter2",
    });
    const env = await seenBy(sandbox);
    expect(env).toMatchObject({ PROXY: "http://proxy:8080" });
    expect(JSON.stringify(env)).not.toContain("hunter2");
  });

  test("gets the removed variables that its metadata names, unchanged", async () => {
    const sandbox = new FileHooksSandbox();
    const named = {
      PYTHONUSERBASE: sandbox.project,
      NODE_OPTIONS: "--no-warnings",
      PYTHONPATH: `${sandbox.project}:lib`,
    };
    setEnv(named);
    expect(await seenBy(sandbox, { metadata: { env: Object.keys(named) } })).toMatchObject(named);
  });

  test("that was trusted is changed by a change of the names in its metadata", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", { metadata: { env: ["WANTED_TOKEN"] } }, DENY);
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    sandbox.hook(
      sandbox.projectHooks,
      "guard",
      { metadata: { env: ["WANTED_TOKEN", "PYTHONUSERBASE"] } },
      DENY,
    );
    expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(/"guard".*changed.*tenterhook trust/);
  });
});

describe("metadata.env", () => {
  test.each([
    ["GITHUB_TOKEN", /metadata\.env must be a list of names of variables/],
    [["PYTHON*"], /metadata\.env\.0 must be the whole name of a variable/],
    [[5], /metadata\.env\.0 must be the name of a variable/],
    [["A=B"], /metadata\.env\.0 must be the whole name of a variable/],
  ])("%j is an error", async (env, message) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "reader", { metadata: { env } }, "exit 0");
    const { findings } = await sandbox.fileHooks().catalogue();
    expect(findings).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringMatching(message) }),
    ]);
  });

  test.each(["PATH", "HOME", "SHELL", "TENTERHOOK_EVENT"])(
    "with %s has no effect, and a warning says so",
    async (name) => {
      const sandbox = new FileHooksSandbox();
      setEnv({ [name]: "/nonexistent" });
      const metadata = { env: [name] };
      expect((await seenBy(sandbox, { metadata }))[name]).not.toBe("/nonexistent");
      const { findings } = await sandbox.fileHooks().catalogue();
      expect(findings).toEqual([
        expect.objectContaining({ severity: "warning", message: expect.stringContaining(`gets ${name}`) }),
      ]);
    },
  );
});
