import { TenterhookError } from "@tenterhook/protocol";
import { globMatches } from "../../match/tool-name.ts";
import { type PathGlob, pathGlob } from "./path-glob.ts";
import { commandGlob } from "./shell-command.ts";

/** A rule of a tool policy: which tool, and which argument of it. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** What the argument must look like; absent when any argument will do. */
  readonly argument: ArgumentGlob | undefined;
  isAbout(toolName: string): boolean;
}

/** One glob, read for each kind of argument it may meet: which kind is known only when a call comes. */
export interface ArgumentGlob {
  readonly text: string;
  readonly command: string;
  readonly path: PathGlob;
  /** Has a `/`: written with a path in mind. */
  readonly isPathLike: boolean;
}

/** Reads `Tool`, `Tool(argument)` or `tool_*(argument)`; throws `bad_matcher`, naming the rule, for anything else. */
export function parseRule(written: unknown): Rule {
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
