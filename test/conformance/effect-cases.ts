import { block } from "./answers.ts";
import type { Case } from "./case.ts";

const command = (text: string) => ({ toolInput: { command: text } });
const UNREADABLE = command("echo $(");

/** What hooks match by what a call does. */
export const EFFECT_CASES: readonly Case[] = [
  {
    name: "a command is matched by what it does, however it is written",
    event: "before_tool",
    payload: command('X=/; sudo sh -c "rm -fr $X"'),
    hooks: [{ name: "guard", effect: { effect: "delete", path: "root" }, does: block("deletes the root") }],
    expect: { outcome: "block", action: "refuse", reason: "deletes the root", called: ["guard"] },
  },
  {
    name: "a command is not matched by what it only prints",
    event: "before_tool",
    payload: command("echo 'rm -rf /' # rm -rf /"),
    hooks: [{ name: "guard", effect: { effect: "delete" }, does: block() }],
    expect: { outcome: "proceed", action: "go_on", called: [] },
  },
  {
    name: "one target has to be in path and not in not_path",
    event: "before_tool",
    payload: command("rm -r dist /tmp/x"),
    hooks: [
      { name: "outside", effect: { effect: "delete", path: "outside-project", notPath: "scratch" } },
      { name: "inside", effect: { effect: "delete", path: "project", notPath: ["ignored", "dist/**"] } },
      {
        name: "either",
        effect: { effect: "delete", path: ["git", "/tmp/x"], notPath: ["dist/**", "src/**"] },
      },
    ],
    expect: { action: "go_on", called: ["either"] },
  },
  {
    name: "a target that is not known matches unless it may pass",
    event: "before_tool",
    payload: command('rm "$1"'),
    hooks: [
      { name: "guard", effect: { effect: "delete", path: "system" } },
      { name: "lenient", effect: { effect: "delete", path: "system", unknown: "pass" } },
    ],
    expect: { called: ["guard"] },
  },
  {
    name: "tool and pattern have to match, too",
    event: "before_tool",
    payload: command("rm a"),
    hooks: [
      { name: "all", tool: "Shell", pattern: "a$", effect: { effect: "delete" } },
      { name: "other-tool", tool: "WriteFile", effect: { effect: "delete" } },
      { name: "other-text", pattern: "b$", effect: { effect: "delete" } },
    ],
    expect: { called: ["all"] },
  },
  {
    name: "a file tool is matched by the file that it names",
    event: "before_tool",
    payload: { toolName: "ReadFile", toolInput: { file_path: "~/.ssh/id_rsa" } },
    hooks: [{ name: "guard", effect: { effect: "read", path: "keys" }, does: block("a key") }],
    expect: { action: "refuse", reason: "a key", called: ["guard"] },
  },
  {
    name: "a tool is known by its other names",
    event: "before_tool",
    payload: { toolName: "mcp__box__run", toolAliases: ["Shell"], ...command("rm a") },
    hooks: [{ name: "guard", effect: { effect: "delete" }, does: block() }],
    expect: { action: "refuse", called: ["guard"] },
  },
  {
    name: "a tool that is not known has no effects",
    event: "before_tool",
    payload: { toolName: "deploy", ...UNREADABLE },
    hooks: [{ name: "guard", effect: { effect: ["delete", "unreadable"] }, does: block() }],
    expect: { action: "go_on", called: [] },
  },
  {
    name: "a guard is called again if a later hook makes the call do what it guards",
    event: "before_tool",
    payload: command("ls"),
    hooks: [
      { name: "guard", effect: { effect: "delete" }, does: block("deletes") },
      { name: "change", does: { answers: { type: "proceed", patch: command("rm a") } } },
    ],
    expect: { action: "refuse", reason: "deletes", called: ["change", "guard"] },
  },
  {
    name: "a line that cannot be read is refused if the person rejects it",
    event: "before_tool",
    payload: UNREADABLE,
    host: { approver: "reject" },
    hooks: [
      { name: "guard", effect: { effect: "power" }, does: block() },
      { name: "behind", does: block() },
    ],
    expect: { action: "refuse", called: ["guard"] },
  },
  {
    name: "a line that cannot be read after all is refused by a rule that is about that",
    event: "before_tool",
    payload: UNREADABLE,
    host: { approver: "approve" },
    hooks: [{ name: "guard", effect: { effect: "unreadable" }, does: block("not readable") }],
    expect: { outcome: "block", action: "refuse", reason: "not readable", called: ["guard"] },
  },
];

/** Only of hooks in code, and of rules without a script: a script that refuses such a line has decided that. */
export const UNREADABLE_CASES: readonly Case[] = [
  {
    name: "a line that cannot be read is refused where no person can be asked",
    event: "before_tool",
    payload: UNREADABLE,
    hooks: [{ name: "guard", effect: { effect: "power" }, does: block() }],
    expect: { action: "refuse", reason: "cannot be read", called: ["guard"] },
  },
  {
    name: "a line that cannot be read is asked about once, whatever the rules would answer",
    event: "before_tool",
    payload: UNREADABLE,
    host: { approver: "approve" },
    hooks: [
      { name: "blocks", effect: { effect: "power" }, does: block() },
      {
        name: "asks",
        effect: { effect: "send", path: "keys" },
        does: { answers: { type: "ask", reason: "sure?" } },
      },
      { name: "lenient", effect: { effect: "power", unreadable: "pass" }, does: block() },
    ],
    expect: { action: "go_on", called: ["blocks", "asks"] },
  },
];
