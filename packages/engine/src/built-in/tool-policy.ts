import {
  ask,
  block,
  type Immutable,
  type OutcomeOf,
  type Payload,
  TenterhookError,
} from "@tenterhook/protocol";
import type { Context } from "../context/hook-context.ts";
import type { Hooks, Unregister } from "../hooks.ts";
import { globMatches } from "../match/matcher.ts";
import { badOption, checkOptions, checkWord } from "./check-options.ts";
import { type PathGlob, pathForms, pathGlob, withSlashes } from "./path-glob.ts";
import { commandGlob, readShellCommand, type ShellCommand } from "./shell-command.ts";

/** Which tool calls pass, are refused, or need a person. */
export interface ToolPolicyOptions {
  /** Calls that pass. */
  readonly allow?: readonly string[];
  /** Calls that are refused; beats `ask` and `allow`. */
  readonly deny?: readonly string[];
  /** Calls that a person must approve; beats `allow`. */
  readonly ask?: readonly string[];
  /** What happens to a call that no rule is about. Default: `deny` when there is an `allow` list, else `proceed`. */
  readonly default?: "proceed" | "deny" | "ask";
  /** Default 0. */
  readonly priority?: number;
}

const NAME = "tool-policy";

/** Refuses tool calls, or requires approval, by rules over the tool and its argument: `Shell(rm *)`, `mcp__*`. */
export function toolPolicy(hooks: Hooks, options: ToolPolicyOptions): Unregister {
  checkOptions(NAME, options, ["allow", "deny", "ask", "default", "priority"]);
  checkWord(NAME, "default", options.default, ["proceed", "deny", "ask"]);
  const deny = readRules("deny", options.deny);
  const asking = readRules("ask", options.ask);
  const allow = readRules("allow", options.allow);
  // With a list of what may pass, the rest is not expected to pass.
  const otherwise = options.default ?? (allow.length > 0 ? "deny" : "proceed");
  const judge = ({ payload }: Context<"before_tool">): OutcomeOf<"before_tool"> | undefined => {
    const call = readCall(payload);
    const denied = deny.find((rule) => call.isCoveredBy(rule));
    if (denied !== undefined) return block(`The tool policy denies ${denied.text}, and this call is one.`);
    const asked = asking.find((rule) => call.isCoveredBy(rule));
    if (asked !== undefined) return ask(`The tool policy wants a person to approve ${asked.text}.`);
    if (otherwise === "proceed" || call.fits(allow)) return undefined;
    const why = `No rule of the tool policy allows this call of ${payload.toolName}.${hint(call, allow)}`;
    return otherwise === "deny" ? block(why) : ask(why);
  };
  return hooks.on("before_tool", judge, { name: NAME, priority: options.priority });
}

function readRules(key: string, rules: unknown): readonly Rule[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules)) throw badOption(NAME, `${key} must be a list of rules.`);
  return rules.map(parseRule);
}

function hint({ control }: ToolCall, allow: readonly Rule[]): string {
  if (control === undefined || allow.length === 0) return "";
  return ` It is more than one plain command (${JSON.stringify(control)}): run one command at a time.`;
}

/** A rule of a tool policy: which tool, and which argument of it. */
interface Rule {
  /** As it was written. */
  readonly text: string;
  /** What the argument must look like; absent when any argument will do. */
  readonly argument: ArgumentGlob | undefined;
  isAbout(toolName: string): boolean;
}

/** One glob, read for each kind of argument it may meet: which kind is known only when a call comes. */
interface ArgumentGlob {
  readonly text: string;
  readonly command: string;
  readonly path: PathGlob;
  /** Has a `/`: written with a path in mind. */
  readonly isPathLike: boolean;
}

/** Reads `Tool`, `Tool(argument)` or `tool_*(argument)`; throws `bad_matcher`, naming the rule, for anything else. */
function parseRule(written: unknown): Rule {
  if (typeof written !== "string") throw badRule(written, "it is not a string");
  const text = written.trim();
  const open = text.indexOf("(");
  const tool = open < 0 ? text : text.slice(0, open);
  if (tool === "") throw badRule(written, "it names no tool");
  if (/[\s)]/.test(tool)) throw badRule(written, "a tool's name has no spaces and no closing parenthesis");
  if (open >= 0 && !text.endsWith(")")) throw badRule(written, "its parenthesis is not closed at the end");
  const isAbout = (name: string): boolean => globMatches(tool, name);
  if (open < 0) return { text, argument: undefined, isAbout };
  const glob = text.slice(open + 1, -1).trim();
  if (glob === "") throw badRule(written, "its parentheses are empty");
  return { text, argument: /^\*+$/.test(glob) ? undefined : argumentGlob(glob), isAbout };
}

function argumentGlob(text: string): ArgumentGlob {
  return { text, command: commandGlob(text), path: pathGlob(text), isPathLike: text.includes("/") };
}

function badRule(written: unknown, why: string): TenterhookError {
  const quoted = typeof written === "string" ? `"${written}"` : String(written);
  return new TenterhookError("bad_matcher", `the rule ${quoted} cannot be used: ${why}.`, {
    hook: "tool-policy",
    hint: "Write Tool, Tool(argument) or mcp__*, with * for anything and ? for one character.",
  });
}

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
interface ToolCall {
  /** What makes the command more than one plain command, where there is a command and it is. */
  readonly control: string | undefined;
  /** Whether a rule that refuses or asks is about this call. */
  isCoveredBy(rule: Rule): boolean;
  /** Whether rules that let pass fit every argument of this call between them. */
  fits(rules: readonly Rule[]): boolean;
}

function readCall({ toolName, toolInput, workDir }: Immutable<Payload<"before_tool">>): ToolCall {
  const commands = readValues(toolInput, "command").map((command) =>
    readShellCommand(asTexts(command).join(" "), Array.isArray(command)),
  );
  const paths = [...readValues(toolInput, "file_path"), ...readValues(toolInput, "path")].flatMap(asTexts);
  const patterns = readValues(toolInput, "pattern").flatMap(asTexts);
  const named: readonly Argument[] = [
    ...commands.map(commandArgument),
    ...paths.map((path) => pathArgument(path, workDir)),
    ...readValues(toolInput, "url").flatMap(asTexts).map(urlArgument),
    ...patterns.map((pattern) => patternArgument(pattern, workDir)),
  ];
  let whole: string | undefined;
  const wholeFits = (glob: ArgumentGlob): boolean => {
    // It throws for what JSON cannot represent, and a guard that throws refuses.
    whole ??= JSON.stringify(toolInput) ?? "";
    return globMatches(glob.text, whole);
  };
  return {
    control: commands.find(({ control }) => control !== undefined)?.control,
    isCoveredBy({ isAbout, argument: glob }) {
      if (!isAbout(toolName)) return false;
      if (glob === undefined || named.some((argument) => argument.isCoveredBy(glob))) return true;
      // What a file contains is not where it is: a path rule does not read on once there is a path.
      return !(glob.isPathLike && paths.length > 0) && wholeFits(glob);
    },
    fits(rules) {
      const about = rules.filter((rule) => rule.isAbout(toolName));
      if (about.some((rule) => rule.argument === undefined)) return true;
      const globs = about.flatMap(({ argument }) => argument ?? []);
      if (globs.length === 0) return false;
      if (named.length === 0) return globs.some(wholeFits);
      return named.every((argument) => globs.some((glob) => argument.fits(glob)));
    },
  };
}

function readValues(input: Readonly<Record<string, unknown>>, field: string): readonly unknown[] {
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  return value === undefined || value === null ? [] : [value];
}

/** Some hosts give a command as a list of words. */
function asTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(asTexts);
  return [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
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
