import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./manifests.ts";

/**
 * Runs the examples in an installed package's README: its `js` blocks as modules, its `sh` blocks in a shell that finds the installed
 * command. A block that prints `// something` at the end of a line of `console.log` must really print that.
 */
export function runReadmeExamples(project: string, { name }: Manifest): void {
  const readme = readFileSync(join(project, "node_modules", name, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(js|sh)\n(.*?)^```/gms)];
  const home = mkdtempSync(join(project, "home-"));
  // The folder of a coding agent, by which `tenterhook install` finds it.
  mkdirSync(join(home, ".claude"));
  const env = {
    ...process.env,
    HOME: home,
    // Examples make temporary folders; they go with the project.
    TMPDIR: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    PATH: `${join(project, "node_modules", ".bin")}:${process.env.PATH}`,
  };
  let count = 0;
  for (const [, language, text = ""] of blocks) {
    if (text.includes("npm install")) continue;
    count += 1;
    const file = join(home, `example-${count}.${language === "js" ? "mjs" : "sh"}`);
    writeFileSync(file, text);
    const [program, args] = language === "js" ? [process.execPath, [file]] : ["sh", ["-eu", file]];
    const printed = execFileSync(program, args, { cwd: home, env, encoding: "utf8", timeout: 60_000 });
    for (const expected of promisedOutput(text)) {
      if (!flat(printed).includes(flat(expected)))
        throw new Error(
          `${name}: an example of its README should print "${expected}", and printed:\n${printed}`,
        );
    }
  }
  if (count === 0) throw new Error(`${name}: its README has no example that can be run`);
}

function promisedOutput(text: string): readonly string[] {
  return [...text.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promised = ""]) => promised);
}

/** Quotes and spacing are the terminal's. */
function flat(text: string): string {
  return text.replace(/['"\s]+/g, " ");
}
