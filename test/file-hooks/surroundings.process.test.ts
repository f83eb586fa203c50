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
import { DENY, World } from "./world.ts";

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
  world: World,
  root: string,
  {
    file = "run.sh",
    content,
    mode = 0o755,
    ...frontmatter
  }: Record<string, unknown> & { content: string; file?: string; mode?: number },
): string {
  const folder = world.hook(root, "guard", frontmatter);
  world.write(join(folder, "scripts", file), content, mode);
  return folder;
}

const CJS = `const { writeSync } = require("node:fs");\nwriteSync(2, "denied");\nprocess.exit(2);\n`;
const ESM = `import { writeSync } from "node:fs";\nwriteSync(2, "denied");\nprocess.exit(2);\n`;

describe("a package.json outside the hook", () => {
  test.each([
    ["module", CJS],
    ["commonjs", ESM],
  ])("that says type %s does not change what a project's run.js means", async (type, content) => {
    const world = new World();
    scripted(world, world.projectHooks, { file: "run.js", content });
    await world.trustAll();
    const hooks = world.hooks();
    expect((await world.shell(hooks)).reason).toBe("denied");
    world.write(join(world.project, "package.json"), JSON.stringify({ type }));
    expect((await world.shell(hooks)).reason).toBe("denied");
    expect((await world.shell(world.hooks({ trustAll: true }))).reason).toBe("denied");
  });

  test.each(['{"type":"module"}', "{ broken"])(
    "with %s does not change what a user's run.js means",
    async (text) => {
      const world = new World();
      scripted(world, world.userHooks, { file: "run.js", content: CJS });
      world.write(join(world.home, "package.json"), text);
      expect((await world.shell(world.hooks())).reason).toBe("denied");
    },
  );

  test("does not count, but the hook's own does", async () => {
    const world = new World();
    const folder = scripted(world, world.projectHooks, { file: "run.js", content: ESM });
    world.write(join(folder, "package.json"), '{"type":"module"}');
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });
});

describe("a PATH with folders of the project", () => {
  test.each<[string, (world: World) => string]>([
    ["its node_modules/.bin", ({ project }) => join(project, "node_modules", ".bin")],
    [
      "a link to a folder of it",
      (world) => {
        const link = join(world.root, "bin");
        symlinkSync(join(world.project, "tools"), link);
        return link;
      },
    ],
    ["a relative folder", () => "tools"],
    ["an empty entry, which means the working directory", () => ""],
  ])("such as %s does not choose the interpreter, nor what a script calls", async (_what, entry) => {
    const world = new World();
    const fake = "#!/bin/sh\nexit 0\n";
    for (const folder of ["node_modules/.bin", "tools", "."]) {
      for (const name of ["python3", "bash", "dash", "grep"])
        world.write(join(world.project, folder, name), fake, 0o755);
    }
    scripted(world, world.projectHooks, { content: `#!/usr/bin/env dash\ngrep -q Shell && ${DENY}\n` });
    await world.trustAll();
    setEnv({ PATH: `${entry(world)}${delimiter}${process.env.PATH}` });
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    world.hook(world.userHooks, "user", { priority: 900 });
    world.write(
      join(world.userHooks, "user", "scripts", "run.sh"),
      "echo 'user says no' >&2; exit 2\n",
      0o644,
    );
    expect((await world.shell(world.hooks())).reason).toBe("user says no");
  });

  test("that has no other interpreter makes a trusted guard refuse, and an observer fail", async () => {
    const world = new World();
    world.write(join(world.project, "bin", "special-sh"), '#!/bin/sh\nexec /bin/sh "$@"\n', 0o755);
    scripted(world, world.projectHooks, { content: `#!/usr/bin/env special-sh\n${DENY}\n` });
    await world.trustAll();
    setEnv({ PATH: `${join(world.project, "bin")}${delimiter}${process.env.PATH}` });
    const { action, reason } = await world.shell(world.hooks());
    expect(action).toBe("refuse");
    expect(reason).toMatch(/special-sh was not found on the PATH.*tenterhook trust/);
  });
});

describe("variables that make an interpreter load code", () => {
  test("are not passed on to a hook, unless it names them", async () => {
    const world = new World();
    const loaded = world.write(join(world.project, "loaded.sh"), "exit 0\n");
    const required = world.write(join(world.project, "loaded.cjs"), "process.exit(0)\n");
    setEnv({
      BASH_ENV: loaded,
      ENV: loaded,
      NODE_OPTIONS: `--require ${required}`,
      "BASH_FUNC_cat%%": "() { exit 0; }",
    });
    scripted(world, world.projectHooks, { content: `#!/bin/bash\ncat > /dev/null; ${DENY}\n` });
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    scripted(world, world.projectHooks, {
      content: `#!/bin/bash\n${DENY}\n`,
      metadata: { env: ["BASH_ENV"] },
    });
    await world.trustAll();
    expect((await world.shell(world.hooks())).action).toBe("go_on");
    rmSync(world.projectHooks, { recursive: true });
    scripted(world, world.userHooks, { file: "run.js", content: CJS });
    expect((await world.shell(world.hooks())).reason).toMatch(/denied|guard/);
  });

  test("keep folders outside the project, and lose those inside", async () => {
    const world = new World();
    const seen = join(world.root, "seen");
    setEnv({
      PYTHONPATH: ["lib", join(world.project, "lib"), "/opt/lib"].join(delimiter),
      NODE_PATH: world.project,
    });
    scripted(world, world.userHooks, { content: `#!/bin/sh\necho "$PYTHONPATH,$NODE_PATH" > ${seen}\n` });
    await world.shell(world.hooks());
    expect(readFileSync(seen, "utf8")).toBe("/opt/lib,\n");
  });
});

describe("an interpreter in the project", () => {
  const named = (world: World) =>
    world.write(join(world.project, ".venv", "bin", "python"), '#!/bin/sh\nexec /bin/sh "$@"\n', 0o755);

  test("is used when the hook names it, and is part of what is trusted", async () => {
    const world = new World();
    const interpreter = named(world);
    scripted(world, world.projectHooks, {
      content: DENY,
      mode: 0o644,
      metadata: { interpreter: ".venv/bin/python" },
    });
    await world.trustAll();
    const hooks = world.hooks();
    expect((await world.shell(hooks)).reason).toBe("denied");
    writeFileSync(interpreter, "#!/bin/sh\nexit 0\n");
    expect((await world.shell(hooks)).reason).toMatch(
      /\.venv\/bin\/python was changed since it was trusted.*tenterhook trust/,
    );
    rmSync(interpreter);
    expect((await world.shell(hooks)).reason).toMatch(/can no longer be checked.*does not exist/);
    symlinkSync("/bin/sh", interpreter);
    expect((await world.shell(hooks)).action).toBe("refuse");
    await world.trustAll();
    expect((await world.shell(hooks)).reason).toBe("denied");
    rmSync(interpreter);
    symlinkSync("/bin/true", interpreter);
    expect((await world.shell(hooks)).action).toBe("refuse");
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
    const world = new World();
    const interpreter = named(world);
    for (const mode of [0o755, 0o644]) {
      scripted(world, world.projectHooks, { content: `${line(interpreter)}\n${DENY}\n`, mode });
      await world.trustAll();
      const { reason } = await world.shell(world.hooks());
      expect(reason).toMatch(/hook "guard".*metadata.interpreter.*tenterhook trust/);
      rmSync(world.projectHooks, { recursive: true });
      const user = scripted(world, world.userHooks, { content: `${line(interpreter)}\n${DENY}\n`, mode });
      world.fileHooks().trust.revoke(join(world.projectHooks, "guard"));
      expect((await world.shell(world.hooks())).reason).toMatch(/hook "guard".*metadata.interpreter/);
      rmSync(user, { recursive: true });
    }
  });
});

describe("a working directory that does not exist", () => {
  test("does not keep a guard from being called", async () => {
    const world = new World();
    const seen = join(world.root, "seen");
    world.hook(world.userHooks, "guard", {}, `grep work_dir > ${seen}; pwd -P >> ${seen}; ${DENY}`);
    const hooks = world.hooks();
    const workDir = join(world.project, "gone");
    const ask = () => hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {}, workDir });
    expect((await ask()).reason).toBe("denied");
    expect(readFileSync(seen, "utf8")).toBe(`  "work_dir": ${JSON.stringify(workDir)},\n${world.project}\n`);
    rmSync(world.project, { recursive: true });
    expect((await ask()).reason).toBe("denied");
  });

  test("or comes and goes does not keep a guard from being called", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", {}, DENY);
    const workDir = join(world.project, "flickering");
    const program = `
      const { mkdirSync, rmdirSync } = require("node:fs");
      process.stdout.write("ready");
      for (;;) { mkdirSync(process.argv[1]); rmdirSync(process.argv[1]); }`;
    const flicker = spawn(process.execPath, ["-e", program, workDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void flicker.kill("SIGKILL"));
    await once(flicker.stdout, "data");
    const hooks = world.hooks();
    for (let n = 0; n < 50; n++) {
      const payload = { toolName: "Shell", toolInput: {}, workDir };
      // A shell may add that it has no working directory.
      expect((await hooks.dispatch("before_tool", payload)).reason).toMatch(/denied$/);
    }
  });
});

describe("a project that is reached through a symbolic link", () => {
  test("is as trusted as by its own path, and the other way round", async () => {
    const world = new World();
    const link = join(world.root, "link");
    symlinkSync(world.project, link);
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    expect((await world.shell(world.hooks({ cwd: link }))).reason).toBe("denied");
    world.fileHooks().trust.revoke(join(link, ".agents", "hooks", "guard"));
    expect((await world.shell(world.hooks())).action).toBe("go_on");
    await world.trustAll(undefined, link);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });

  test("covers its folders that are links out of it", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    const outside = join(world.root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(world.project, "data"));
    const link = join(world.root, "link");
    symlinkSync(world.project, link);
    expect((await world.shell(world.hooks({ cwd: join(link, "data") }))).reason).toBe("denied");
  });

  test("still counts after it was moved and replaced by a link", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    const moved = join(world.root, "moved");
    renameSync(world.project, moved);
    symlinkSync(moved, world.project);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });

  test("has the hooks.toml that was trusted by its own path", async () => {
    const world = new World();
    const link = join(world.root, "link");
    symlinkSync(world.project, link);
    world.hook(world.projectHooks, "guard", {}, DENY);
    const toml = "[hooks.guard]\nenabled = false\n";
    world.write(join(world.projectHooks, "hooks.toml"), toml);
    await world.trustAll(toml);
    expect((await world.shell(world.hooks({ cwd: link }))).action).toBe("go_on");
  });
});

describe("a program that is no script", () => {
  test("is started as it is", async () => {
    const world = new World();
    const folder = world.hook(world.projectHooks, "guard", {});
    mkdirSync(join(folder, "scripts"));
    copyFileSync("/bin/cat", join(folder, "scripts", "run"));
    chmodSync(join(folder, "scripts", "run"), 0o755);
    await world.trustAll();
    expect((await world.shell(world.hooks())).action).toBe("go_on");
    expect(world.reported).toEqual([]);
  });
});
