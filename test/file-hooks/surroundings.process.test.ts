import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

/** Sets variables of this process for one test. */
function setEnv(values: Readonly<Record<string, string>>): void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, process.env[name]]));
  Object.assign(process.env, values);
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** Writes a hook whose script is not a shell script with an ordinary first line. */
function scripted(
  sandbox: FileHooksSandbox,
  root: string,
  {
    file = "run.sh",
    content,
    mode = 0o755,
    ...frontmatter
  }: Record<string, unknown> & { content: string; file?: string; mode?: number },
): string {
  const folder = sandbox.hook(root, "guard", frontmatter);
  sandbox.write(join(folder, "scripts", file), content, mode);
  return folder;
}

const CJS = `const { writeSync } = require("node:fs");\nwriteSync(2, "denied");\nprocess.exit(2);\n`;
const ESM = `import { writeSync } from "node:fs";\nwriteSync(2, "denied");\nprocess.exit(2);\n`;

describe("a package.json outside the hook", () => {
  test.each([
    ["module", CJS],
    ["commonjs", ESM],
  ])("that says type %s does not change what a project's run.js means", async (type, content) => {
    const sandbox = new FileHooksSandbox();
    scripted(sandbox, sandbox.projectHooks, { file: "run.js", content });
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    sandbox.write(join(sandbox.project, "package.json"), JSON.stringify({ type }));
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    expect((await sandbox.shell(sandbox.hooks({ trustAll: true }))).reason).toBe("denied");
  });

  test.each(['{"type":"module"}', "{ broken"])(
    "with %s does not change what a user's run.js means",
    async (text) => {
      const sandbox = new FileHooksSandbox();
      scripted(sandbox, sandbox.userHooks, { file: "run.js", content: CJS });
      sandbox.write(join(sandbox.home, "package.json"), text);
      expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    },
  );

  test("does not count, but the hook's own does", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = scripted(sandbox, sandbox.projectHooks, { file: "run.js", content: ESM });
    sandbox.write(join(folder, "package.json"), '{"type":"module"}');
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });
});

describe("a PATH with folders of the project", () => {
  test.each<[string, (sandbox: FileHooksSandbox) => string]>([
    ["its node_modules/.bin", ({ project }) => join(project, "node_modules", ".bin")],
    [
      "a link to a folder of it",
      (sandbox) => {
        const link = join(sandbox.root, "bin");
        symlinkSync(join(sandbox.project, "tools"), link);
        return link;
      },
    ],
    ["a relative folder", () => "tools"],
    ["an empty entry, which means the working directory", () => ""],
  ])("such as %s does not choose the interpreter, nor what a script calls", async (_what, entry) => {
    const sandbox = new FileHooksSandbox();
    const fake = "#!/bin/sh\nexit 0\n";
    for (const folder of ["node_modules/.bin", "tools", "."]) {
      for (const name of ["python3", "bash", "dash", "grep"])
        sandbox.write(join(sandbox.project, folder, name), fake, 0o755);
    }
    scripted(sandbox, sandbox.projectHooks, { content: `#!/usr/bin/env dash\ngrep -q Shell && ${DENY}\n` });
    await sandbox.trustAll();
    setEnv({ PATH: `${entry(sandbox)}${delimiter}${process.env.PATH}` });
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    sandbox.hook(sandbox.userHooks, "user", { priority: 900 });
    sandbox.write(
      join(sandbox.userHooks, "user", "scripts", "run.sh"),
      "echo 'user says no' >&2; exit 2\n",
      0o644,
    );
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("user says no");
  });

  test("that has no other interpreter makes a trusted guard refuse, and an observer fail", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.write(join(sandbox.project, "bin", "special-sh"), '#!/bin/sh\nexec /bin/sh "$@"\n', 0o755);
    scripted(sandbox, sandbox.projectHooks, { content: `#!/usr/bin/env special-sh\n${DENY}\n` });
    await sandbox.trustAll();
    setEnv({ PATH: `${join(sandbox.project, "bin")}${delimiter}${process.env.PATH}` });
    const { action, reason } = await sandbox.shell(sandbox.hooks());
    expect(action).toBe("refuse");
    expect(reason).toMatch(/special-sh was not found on the PATH.*tenterhook trust/);
  });
});

describe("variables that make an interpreter load code", () => {
  test("are not passed on to a hook, unless it names them", async () => {
    const sandbox = new FileHooksSandbox();
    const loaded = sandbox.write(join(sandbox.project, "loaded.sh"), "exit 0\n");
    const required = sandbox.write(join(sandbox.project, "loaded.cjs"), "process.exit(0)\n");
    setEnv({
      BASH_ENV: loaded,
      ENV: loaded,
      NODE_OPTIONS: `--require ${required}`,
      "BASH_FUNC_cat%%": "() { exit 0; }",
    });
    scripted(sandbox, sandbox.projectHooks, { content: `#!/bin/bash\ncat > /dev/null; ${DENY}\n` });
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    scripted(sandbox, sandbox.projectHooks, {
      content: `#!/bin/bash\n${DENY}\n`,
      metadata: { env: ["BASH_ENV"] },
    });
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    rmSync(sandbox.projectHooks, { recursive: true });
    scripted(sandbox, sandbox.userHooks, { file: "run.js", content: CJS });
    expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(/denied|guard/);
  });

  test("keep folders outside the project, and lose those inside", async () => {
    const sandbox = new FileHooksSandbox();
    const seen = join(sandbox.root, "seen");
    setEnv({
      PYTHONPATH: ["lib", join(sandbox.project, "lib"), "/opt/lib"].join(delimiter),
      NODE_PATH: sandbox.project,
    });
    scripted(sandbox, sandbox.userHooks, { content: `#!/bin/sh\necho "$PYTHONPATH,$NODE_PATH" > ${seen}\n` });
    await sandbox.shell(sandbox.hooks());
    expect(readFileSync(seen, "utf8")).toBe("/opt/lib,\n");
  });
});

describe("an interpreter in the project", () => {
  const named = (sandbox: FileHooksSandbox) =>
    sandbox.write(join(sandbox.project, ".venv", "bin", "python"), '#!/bin/sh\nexec /bin/sh "$@"\n', 0o755);

  test("is used when the hook names it, and is part of what is trusted", async () => {
    const sandbox = new FileHooksSandbox();
    const interpreter = named(sandbox);
    scripted(sandbox, sandbox.projectHooks, {
      content: DENY,
      mode: 0o644,
      metadata: { interpreter: ".venv/bin/python" },
    });
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    writeFileSync(interpreter, "#!/bin/sh\nexit 0\n");
    expect((await sandbox.shell(hooks)).reason).toMatch(
      /\.venv\/bin\/python was changed since it was trusted.*tenterhook trust/,
    );
    rmSync(interpreter);
    expect((await sandbox.shell(hooks)).reason).toMatch(/can no longer be checked.*does not exist/);
    symlinkSync("/bin/sh", interpreter);
    expect((await sandbox.shell(hooks)).action).toBe("refuse");
    await sandbox.trustAll();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    rmSync(interpreter);
    symlinkSync("/bin/true", interpreter);
    expect((await sandbox.shell(hooks)).action).toBe("refuse");
  });

  test.each<[string, (interpreter: string) => string]>([
    ["by its path", (interpreter) => `#!${interpreter}`],
    ["by a relative path", () => "#!.venv/bin/python"],
    ["through env", (interpreter) => `#!/usr/bin/env ${interpreter}`],
    ["through env, by a relative path", () => "#!/usr/bin/env .venv/bin/python"],
    [
      "through env with a PATH of its own",
      (interpreter) => `#!/usr/bin/env -S PATH=${join(interpreter, "..")} python`,
    ],
    ["through env, in one word with its option", () => "#!/usr/bin/env -S.venv/bin/python"],
    ["through env in another folder", () => "#!/usr/bin/env -S -C .venv bin/python"],
  ])("that a #! line names %s makes a guard refuse, of a project and of the user", async (_how, line) => {
    const sandbox = new FileHooksSandbox();
    const interpreter = named(sandbox);
    for (const mode of [0o755, 0o644]) {
      scripted(sandbox, sandbox.projectHooks, { content: `${line(interpreter)}\n${DENY}\n`, mode });
      await sandbox.trustAll();
      const { reason } = await sandbox.shell(sandbox.hooks());
      expect(reason).toMatch(/hook "guard".*metadata.interpreter.*tenterhook trust/);
      rmSync(sandbox.projectHooks, { recursive: true });
      const user = scripted(sandbox, sandbox.userHooks, { content: `${line(interpreter)}\n${DENY}\n`, mode });
      sandbox.fileHooks().trust.revoke(join(sandbox.projectHooks, "guard"));
      expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(/hook "guard".*metadata.interpreter/);
      rmSync(user, { recursive: true });
    }
  });
});

describe("a working directory that does not exist", () => {
  test("does not keep a guard from being called", async () => {
    const sandbox = new FileHooksSandbox();
    const seen = join(sandbox.root, "seen");
    sandbox.hook(sandbox.userHooks, "guard", {}, `grep work_dir > ${seen}; pwd -P >> ${seen}; ${DENY}`);
    const hooks = sandbox.hooks();
    const workDir = join(sandbox.project, "gone");
    const ask = () => hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {}, workDir });
    expect((await ask()).reason).toBe("denied");
    expect(readFileSync(seen, "utf8")).toBe(
      `  "work_dir": ${JSON.stringify(workDir)},\n${sandbox.project}\n`,
    );
    rmSync(sandbox.project, { recursive: true });
    expect((await ask()).reason).toBe("denied");
  });

  test("or comes and goes does not keep a guard from being called", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const workDir = join(sandbox.project, "flickering");
    const program = `
      const { mkdirSync, rmdirSync } = require("node:fs");
      process.stdout.write("ready");
      for (;;) { mkdirSync(process.argv[1]); rmdirSync(process.argv[1]); }`;
    const flicker = spawn(process.execPath, ["-e", program, workDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void flicker.kill("SIGKILL"));
    await once(flicker.stdout, "data");
    const hooks = sandbox.hooks();
    for (let n = 0; n < 50; n++) {
      const payload = { toolName: "Shell", toolInput: {}, workDir };
      // A shell may add that it has no working directory.
      expect((await hooks.dispatch("before_tool", payload)).reason).toMatch(/denied$/);
    }
  });
});

describe("a project that is reached through a symbolic link", () => {
  test("is as trusted as by its own path, and the other way round", async () => {
    const sandbox = new FileHooksSandbox();
    const link = join(sandbox.root, "link");
    symlinkSync(sandbox.project, link);
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks({ cwd: link }))).reason).toBe("denied");
    sandbox.fileHooks().trust.revoke(join(link, ".agents", "hooks", "guard"));
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    await sandbox.trustAll(undefined, link);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test("covers its folders that are links out of it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const outside = join(sandbox.root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(sandbox.project, "data"));
    const link = join(sandbox.root, "link");
    symlinkSync(sandbox.project, link);
    expect((await sandbox.shell(sandbox.hooks({ cwd: join(link, "data") }))).reason).toBe("denied");
  });

  test("still counts after it was moved and replaced by a link", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const moved = join(sandbox.root, "moved");
    renameSync(sandbox.project, moved);
    symlinkSync(moved, sandbox.project);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test("has the hooks.toml that was trusted by its own path", async () => {
    const sandbox = new FileHooksSandbox();
    const link = join(sandbox.root, "link");
    symlinkSync(sandbox.project, link);
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    const toml = "[hooks.guard]\nenabled = false\n";
    sandbox.write(join(sandbox.projectHooks, "hooks.toml"), toml);
    await sandbox.trustAll(toml);
    expect((await sandbox.shell(sandbox.hooks({ cwd: link }))).action).toBe("go_on");
  });
});

describe("a program that is no script", () => {
  test("is started as it is", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {});
    mkdirSync(join(folder, "scripts"));
    copyFileSync("/bin/cat", join(folder, "scripts", "run"));
    chmodSync(join(folder, "scripts", "run"), 0o755);
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    expect(sandbox.reported).toEqual([]);
  });
});
