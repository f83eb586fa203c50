import type { CommandEffect, ReadCommandOptions, Target } from "../effects.ts";
import { isEffect } from "../effects.ts";
import { isInPathSet, type PathSetName, type PathSetPlace } from "../path-sets.ts";
import { readCommand } from "../read-command.ts";

export interface Matcher {
  readonly effect: string | readonly string[];
  readonly path?: readonly PathSetName[];
  readonly not_path?: readonly PathSetName[];
  readonly unknown?: "pass";
}

export interface Rule {
  readonly action: "ask" | "block";
  readonly matcher: Matcher | readonly Matcher[];
}

export interface Checked {
  readonly action: "pass" | "ask" | "block";
  readonly rule: string | undefined;
  readonly effects: readonly CommandEffect[];
}

/** What the rules that tests measure with say about a line; the strictest wins. */
export function checkCommand(
  line: string,
  options: ReadCommandOptions,
  rules: Readonly<Record<string, Rule>> = RULES,
): Checked {
  const { effects } = readCommand(line, options);
  const place: PathSetPlace = { workDir: options.workDir, home: options.home, files: options.files };
  let asked: string | undefined;
  for (const [name, { action, matcher }] of Object.entries(rules)) {
    const matchers = Array.isArray(matcher) ? (matcher as readonly Matcher[]) : [matcher as Matcher];
    if (!matchers.some((each) => effects.some((effect) => matches(each, effect, place)))) continue;
    if (action === "block") return { action, rule: name, effects };
    asked ??= name;
  }
  return { action: asked === undefined ? "pass" : "ask", rule: asked, effects };
}

/** One effect of that kind has one target in `path` and not in `not_path`. */
function matches(
  { effect, path, not_path, unknown }: Matcher,
  found: CommandEffect,
  place: PathSetPlace,
): boolean {
  const names = typeof effect === "string" ? [effect] : effect;
  if (!names.some((name) => isEffect(found.name, name))) return false;
  if (path === undefined && not_path === undefined)
    return (
      found.where === "here" ||
      isEffect(found.name, "destroy_remote") ||
      isEffect(found.name, "send") ||
      found.name === "unreadable"
    );
  if (found.where !== "here") return false;
  if (found.targets.length === 0) return path === undefined;
  return found.targets.some(
    (target) => inPath(target) && !(not_path ?? []).some((set) => isIn(set, target, "all")),
  );

  function inPath(target: Target): boolean {
    if (path === undefined) return true;
    if (path.some((set) => isIn(set, target, "some"))) return true;
    return target.known === "unknown" && unknown !== "pass";
  }
  function isIn(set: PathSetName, target: Target, extent: "some" | "all"): boolean {
    return target.type === "path" && isInPathSet(set, target, place, extent);
  }
}

const EXCEPT_SCRATCH = ["scratch", "made"] as const;

export const RULES: Readonly<Record<string, Rule>> = {
  "safety-delete-whole": {
    action: "block",
    matcher: {
      effect: ["delete", "move"],
      path: ["root", "system", "home-whole", "project-whole", "other-homes"],
      not_path: EXCEPT_SCRATCH,
      unknown: "pass",
    },
  },
  "safety-delete-git": {
    action: "block",
    matcher: { effect: ["delete", "move", "write"], path: ["git"], not_path: ["made"], unknown: "pass" },
  },
  "safety-delete-outside": {
    action: "block",
    matcher: { effect: "delete.recursive", path: ["outside-project"], not_path: EXCEPT_SCRATCH },
  },
  "safety-devices": { action: "block", matcher: { effect: "device", not_path: ["harmless-device"] } },
  "safety-system": {
    action: "block",
    matcher: { effect: ["power", "process.all", "firewall.flush", "user.password", "exhaust"] },
  },
  "safety-accounts": {
    action: "block",
    matcher: { effect: ["write", "permissions"], path: ["accounts"], unknown: "pass" },
  },
  "safety-permissions": {
    action: "block",
    matcher: {
      effect: "permissions.recursive",
      path: ["root", "system", "home-whole", "other-homes"],
      unknown: "pass",
    },
  },
  "safety-code-from-away": {
    action: "block",
    matcher: { effect: ["execute.remote", "execute.connection", "execute.decoded"] },
  },
  "safety-lost-work": {
    action: "block",
    matcher: [
      {
        effect: "discard.worktree",
        path: ["project-whole", "outside-project"],
        not_path: EXCEPT_SCRATCH,
        unknown: "pass",
      },
      { effect: ["discard.untracked", "discard.linked", "discard.stash.all"] },
    ],
  },
  "safety-history": {
    action: "block",
    matcher: { effect: ["rewrite_history.all", "rewrite_history.recovery", "publish.force"] },
  },
  "secrets-read": {
    action: "block",
    matcher: [
      { effect: "read", path: ["keys"], not_path: ["fixtures"], unknown: "pass" },
      { effect: "read.store" },
    ],
  },
  "secrets-send": {
    action: "block",
    matcher: { effect: ["send.secret", "send.environment", "write.secret"] },
  },
  "self-files": {
    action: "block",
    matcher: { effect: ["write", "delete", "move", "permissions"], path: ["self"], unknown: "pass" },
  },
  "self-bypass": { action: "block", matcher: { effect: "bypass" } },
  "cloud-destroy": { action: "block", matcher: { effect: "destroy_remote" } },
  "safety-delete-inside": {
    action: "ask",
    matcher: {
      effect: "delete.recursive",
      path: ["project"],
      not_path: ["ignored", "made", "scratch"],
      unknown: "pass",
    },
  },
  "safety-write-system": {
    action: "ask",
    matcher: {
      effect: ["write", "delete"],
      path: ["system", "other-homes"],
      not_path: ["scratch", "made", "harmless-device"],
      unknown: "pass",
    },
  },
  "safety-code-unknown": { action: "ask", matcher: { effect: "execute.unknown" } },
  "safety-unreadable": { action: "ask", matcher: { effect: "unreadable" } },
  "safety-lost-work-one": {
    action: "ask",
    matcher: [
      { effect: "discard.worktree", not_path: EXCEPT_SCRATCH },
      { effect: ["discard.stash", "discard.branch"] },
    ],
  },
  "safety-publish-delete": {
    action: "ask",
    matcher: { effect: ["publish.delete", "publish.lease.refspec"] },
  },
  "secrets-read-env": {
    action: "ask",
    matcher: { effect: "read", path: ["secrets", "maybe-secrets"], not_path: ["fixtures"], unknown: "pass" },
  },
  "secrets-send-folder": { action: "ask", matcher: { effect: "send.folder" } },
  "secrets-write-key": {
    action: "ask",
    matcher: {
      effect: ["write", "delete", "move"],
      path: ["keys"],
      not_path: ["fixtures", "made"],
      unknown: "pass",
    },
  },
};
