import { shellWord } from "./text.ts";

/**
 * How the user of this process types the command, so that what is printed runs as printed: as it was started. In any other program, such
 * as one with hooks of its own, it is the name alone.
 */
export function typedCommand(): string {
  const { argv, env, platform } = process;
  const [, path = ""] = argv;
  const [, folder = "", file = ""] = /^(.*)[\\/]([^\\/]*)$/.exec(path) ?? [];
  if (!/^tenterhook(?:\.c?js)?$/.test(file)) return "tenterhook";
  const isOfNpm = env.npm_lifecycle_event !== undefined;
  // npm's links are scripts there, which name the file behind them.
  if (platform === "win32") return isOfNpm ? "npx tenterhook" : "tenterhook";
  if (file === "tenterhook" && isOfNpm && isFoundByNpx(folder)) return "npx tenterhook";
  if (file === "tenterhook" && !isOfNpm && env.PATH?.split(":").includes(folder)) return "tenterhook";
  return `node ${shellWord(path)}`;
}

/** Whether npx finds what is in a folder of commands, in the folder where the user has typed: a project's only inside the project. */
function isFoundByNpx(folder: string): boolean {
  const [, project] = /^(.*)\/node_modules\/\.bin$/.exec(folder) ?? [];
  if (project === undefined || /\/_npx\/[^/]+$/.test(project)) return true;
  return `${process.env.INIT_CWD ?? process.cwd()}/`.startsWith(`${project}/`);
}
