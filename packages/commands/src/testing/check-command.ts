import type { EffectMatcherInit } from "@tenterhook/protocol/internal";
import { compileEffectMatcher, matchEffects } from "../effect-matcher.ts";
import type { CommandEffect, ReadCommandOptions } from "../effects.ts";
import type { PathSetPlace } from "../path-sets.ts";
import { readCommand } from "../read-command.ts";

export interface Rule {
  readonly action: "ask" | "block";
  readonly matcher: EffectMatcherInit | readonly EffectMatcherInit[];
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
    const matches = [matcher]
      .flat()
      .flatMap((each) => matchEffects(compileEffectMatcher(each), effects, place) ?? []);
    if (matches.length === 0) continue;
    if (action === "block" && matches.some(({ isUnreadable }) => !isUnreadable))
      return { action, rule: name, effects };
    asked ??= name;
  }
  return { action: asked === undefined ? "pass" : "ask", rule: asked, effects };
}

const EXCEPT_SCRATCH = ["scratch", "made"] as const;

export const RULES: Readonly<Record<string, Rule>> = {
  "safety-delete-whole": {
    action: "block",
    matcher: {
      effect: ["delete", "move"],
      path: ["root", "system", "home-whole", "project-whole", "other-homes"],
      notPath: EXCEPT_SCRATCH,
      unknown: "pass",
    },
  },
  "safety-delete-git": {
    action: "block",
    matcher: { effect: ["delete", "move", "write"], path: ["git"], notPath: ["made"], unknown: "pass" },
  },
  "safety-delete-outside": {
    action: "block",
    matcher: { effect: "delete.recursive", path: ["outside-project"], notPath: EXCEPT_SCRATCH },
  },
  "safety-devices": { action: "block", matcher: { effect: "device", notPath: ["harmless-device"] } },
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
        notPath: EXCEPT_SCRATCH,
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
      { effect: "read", path: ["keys"], notPath: ["fixtures"], unknown: "pass" },
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
      notPath: ["ignored", "made", "scratch"],
      unknown: "pass",
    },
  },
  "safety-write-system": {
    action: "ask",
    matcher: {
      effect: ["write", "delete"],
      path: ["system", "other-homes"],
      notPath: ["scratch", "made", "harmless-device"],
      unknown: "pass",
    },
  },
  "safety-code-unknown": { action: "ask", matcher: { effect: "execute.unknown" } },
  "safety-unreadable": { action: "ask", matcher: { effect: "unreadable" } },
  "safety-lost-work-one": {
    action: "ask",
    matcher: [
      { effect: "discard.worktree", notPath: EXCEPT_SCRATCH },
      { effect: ["discard.stash", "discard.branch"] },
    ],
  },
  "safety-publish-delete": {
    action: "ask",
    matcher: { effect: ["publish.delete", "publish.lease.refspec"] },
  },
  "secrets-read-env": {
    action: "ask",
    matcher: { effect: "read", path: ["secrets", "maybe-secrets"], notPath: ["fixtures"], unknown: "pass" },
  },
  "secrets-send-folder": { action: "ask", matcher: { effect: "send.folder" } },
  "secrets-write-key": {
    action: "ask",
    matcher: {
      effect: ["write", "delete", "move"],
      path: ["keys"],
      notPath: ["fixtures", "made"],
      unknown: "pass",
    },
  },
};
