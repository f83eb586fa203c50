import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/** What a hook's folder contains. */
export interface HookParts {
  /** Default: before_tool. */
  readonly trigger?: string;
  /** More lines of frontmatter. */
  readonly fields?: readonly string[];
  /** The body of a shell script. Default: no script. */
  readonly script?: string;
}

/** A home folder and a project for one test. */
export class Sandbox {
  readonly root = temporaryFolder();
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly userHooks = join(this.home, ".config", "agents", "hooks");
  readonly projectHooks = join(this.project, ".agents", "hooks");
  readonly state = join(this.home, ".local", "state", "tenterhook");

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.project);
  }

  write(path: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  read(path: string): string {
    return readFileSync(path, "utf8");
  }

  /** Writes the folder of a hook, which has the folder's name, and returns it. */
  writeHook(
    folder: string,
    { trigger = "before_tool", fields = [], script }: HookParts,
    shell = "/bin/sh",
  ): string {
    const name = basename(folder);
    const frontmatter = [`name: ${name}`, `description: about ${name}`, `trigger: ${trigger}`, ...fields];
    this.write(join(folder, "HOOK.md"), `---\n${frontmatter.join("\n")}\n---\n\n# ${name}\n`);
    if (script !== undefined) this.write(join(folder, "scripts", "run.sh"), `#!${shell}\n${script}\n`, 0o755);
    return folder;
  }
}
