import type { Immutable, Payload } from "@tenterhook/protocol";
import { globMatches } from "../../match/tool-name.ts";
import { pathForms, withSlashes } from "./path-glob.ts";
import type { ArgumentGlob, Rule } from "./rule.ts";
import { ShellCommand } from "./shell-command.ts";

/** An argument of a call that a rule's glob can be compared with. */
interface Argument {
  /** For rules that let pass. */
  fits(glob: ArgumentGlob): boolean;
  /** For rules that refuse or ask. */
  isCoveredBy(glob: ArgumentGlob): boolean;
}

/**
 * A tool call as the rules of a policy see it. A rule that refuses needs one argument that it covers; to be let pass,
 * every argument must fit a rule. Otherwise a field put beside the real one would be the way around either.
 */
export class ToolCall {
  readonly #toolName: string;
  readonly #input: Readonly<Record<string, unknown>>;
  readonly #named: readonly Argument[];
  readonly #hasPath: boolean;
  /** What makes the command more than one plain command, where there is a command and it is. */
  readonly control: string | undefined;
  #whole: string | undefined;

  constructor({ toolName, toolInput, workDir }: Immutable<Payload<"before_tool">>) {
    this.#toolName = toolName;
    this.#input = toolInput;
    const commands = readValues(toolInput, "command").map(asCommand);
    const paths = [...readValues(toolInput, "file_path"), ...readValues(toolInput, "path")].flatMap(asTexts);
    this.control = commands.find(({ control }) => control !== undefined)?.control;
    this.#hasPath = paths.length > 0;
    this.#named = [
      ...commands.map(commandArgument),
      ...paths.map((path) => pathArgument(path, workDir)),
      ...readValues(toolInput, "url").flatMap(asTexts).map(urlArgument),
      ...readValues(toolInput, "pattern")
        .flatMap(asTexts)
        .map((pattern) => patternArgument(pattern, workDir)),
    ];
  }

  /** Whether a rule that refuses or asks is about this call. */
  isCoveredBy({ isAbout, argument: glob }: Rule): boolean {
    if (!isAbout(this.#toolName)) return false;
    if (glob === undefined) return true;
    if (this.#named.some((argument) => argument.isCoveredBy(glob))) return true;
    // What a file contains is not where it is: a path rule does not read on once there is a path.
    return !(glob.isPathLike && this.#hasPath) && globMatches(glob.text, this.#json);
  }

  /** Whether rules that let pass fit every argument of this call between them. */
  fits(rules: readonly Rule[]): boolean {
    const about = rules.filter((rule) => rule.isAbout(this.#toolName));
    if (about.some((rule) => rule.argument === undefined)) return true;
    const globs = about.flatMap(({ argument }) => argument ?? []);
    if (globs.length === 0) return false;
    if (this.#named.length === 0) return globs.some(({ text }) => globMatches(text, this.#json));
    return this.#named.every((argument) => globs.some((glob) => argument.fits(glob)));
  }

  /** The whole input. It throws for what JSON cannot represent, and a guard that throws refuses. */
  get #json(): string {
    this.#whole ??= JSON.stringify(this.#input) ?? "";
    return this.#whole;
  }
}

function readValues(input: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  return value === undefined || value === null ? [] : [value];
}

function asTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(asTexts);
  return [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
}

/** Some hosts give a command as a list of words. */
function asCommand(value: unknown): ShellCommand {
  return new ShellCommand(asTexts(value).join(" "));
}

function commandArgument(command: ShellCommand): Argument {
  return {
    fits: (glob) => command.fits(glob.command),
    isCoveredBy: (glob) => command.contains(glob.command),
  };
}

function pathArgument(path: string, workDir: string | undefined): Argument {
  const forms = pathForms(path, workDir);
  const everyForm = path.includes("\\") ? [...forms, ...pathForms(withSlashes(path), workDir)] : forms;
  return {
    fits: (glob) => forms.some(glob.path.fits),
    isCoveredBy: (glob) => everyForm.some(glob.path.covers),
  };
}

function urlArgument(url: string): Argument {
  // A host in capitals or a default port is the same address; as written and as meant must both fit.
  const forms = URL.canParse(url) ? [url, new URL(url).href] : [url];
  return {
    fits: (glob) => forms.every((form) => globMatches(glob.text, form)),
    isCoveredBy: (glob) => forms.some((form) => globMatches(glob.text, form)),
  };
}

/** A pattern may be a glob over files, so it can climb out of a folder like a path, or be any text at all. */
function patternArgument(pattern: string, workDir: string | undefined): Argument {
  const path = pathArgument(pattern, workDir);
  const climbs = /(^|[/\\])\.\.([/\\]|$)/.test(pattern);
  return {
    fits: (glob) => !climbs && globMatches(glob.text, pattern),
    isCoveredBy: (glob) => globMatches(glob.text, pattern) || path.isCoveredBy(glob),
  };
}
