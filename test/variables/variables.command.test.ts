import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import { GUARDS, LANGUAGES, type Language } from "./guards.ts";

const GROUP = 200;
/** `all`: the names of large binaries too, most of which are no variables. */
const TAKES_ALL = process.env.TENTERHOOK_VARIABLE_NAMES === "all";
/** Interpreters are found on the host's PATH, which a project must not set. */
const EXCLUDED = ["PATH"];

const names = readFileSync(new URL("names.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && (TAKES_ALL || !line.startsWith("-")))
  .map((line) => line.replace(/^-/, ""))
  .filter((name) => !EXCLUDED.includes(name));

/** A guard in each interpreter, each in a sandbox of its own. */
class Guards {
  readonly #asked: {
    readonly language: Language;
    readonly sandbox: FileHooksSandbox;
    readonly hooks: Hooks;
  }[] = [];
  readonly #sandboxes = LANGUAGES.map((language) => ({ language, sandbox: new FileHooksSandbox() }));
  /** A file that would do something in each interpreter: an end with 0. */
  readonly file: string;

  constructor() {
    for (const { language, sandbox } of this.#sandboxes) {
      const { file, content } = GUARDS[language];
      const folder = sandbox.hook(sandbox.userHooks, "guard", {});
      sandbox.write(join(folder, "scripts", file), content, 0o755);
      this.#asked.push({ language, sandbox, hooks: sandbox.hooks() });
    }
    const [first] = this.#sandboxes;
    if (first === undefined) throw new Error("there are no guards");
    this.file = first.sandbox.write(join(first.sandbox.project, "planted"), "exit 0\n", 0o755);
  }

  /** The interpreters whose guard does not refuse, or not for its own reason, while the variables are set. */
  async disarmed(variables: readonly string[], value: string): Promise<readonly Language[]> {
    const before = variables.map((name) => [name, process.env[name]] as const);
    for (const name of variables) process.env[name] = value;
    try {
      const found = await Promise.all(
        this.#asked.map(async ({ language, sandbox, hooks }) => {
          const { action, reason = "" } = await sandbox.shell(hooks, "FORBIDDEN");
          // A locale that does not exist makes an interpreter print a warning before the reason.
          return action === "refuse" && reason.trimEnd().endsWith("denied") ? [] : [language];
        }),
      );
      return found.flat();
    } finally {
      for (const [name, known] of before) {
        if (known === undefined) delete process.env[name];
        else process.env[name] = known;
      }
    }
  }

  /** The smallest groups of variables with which a guard does not refuse. */
  async responsible(variables: readonly string[], value: string): Promise<readonly string[]> {
    const languages = await this.disarmed(variables, value);
    if (languages.length === 0) return [];
    if (variables.length === 1) return [`${variables[0]}=${value} (${languages.join(", ")})`];
    const half = Math.ceil(variables.length / 2);
    const parts = [
      ...(await this.responsible(variables.slice(0, half), value)),
      ...(await this.responsible(variables.slice(half), value)),
    ];
    return parts.length > 0 ? parts : [`${variables.join(" ")} together (${languages.join(", ")})`];
  }
}

test("every interpreter of a guard is installed, and its guard refuses and lets pass", async () => {
  const guards = new Guards();
  expect(await guards.disarmed([], "")).toEqual([]);
  const sandbox = new FileHooksSandbox();
  for (const language of LANGUAGES) {
    const { file, content } = GUARDS[language];
    sandbox.write(join(sandbox.hook(sandbox.userHooks, language, {}), "scripts", file), content, 0o755);
  }
  expect((await sandbox.shell(sandbox.hooks(), "ls")).action).toBe("go_on");
  expect(sandbox.reported).toEqual([]);
});

test.each(["a file of the project", "rubbish", "1"])(
  `no guard is disarmed by ${names.length} variables of interpreters that are set to %s`,
  { timeout: 1_200_000 },
  async (what) => {
    const guards = new Guards();
    const value = what === "a file of the project" ? guards.file : what;
    const found: string[] = [];
    for (let at = 0; at < names.length; at += GROUP)
      found.push(...(await guards.responsible(names.slice(at, at + GROUP), value)));
    expect(found).toEqual([]);
  },
);
