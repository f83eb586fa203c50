import type { RuleAction } from "@tenterhook/protocol/internal";
/** A script for a row of docs/reference/hook-processes.md. */
export interface ProcessScript {
  /** Default `run.sh`; `undefined` content: no script at all. */
  readonly file?: string;
  readonly content?: string;
  readonly mode?: number;
  /** The name of the hook's folder. */
  readonly folder?: string;
  readonly timeoutMs?: number;
  /** Bytes of the tool's input. */
  readonly inputBytes?: number;
  readonly action?: RuleAction;
}

const sh = (body: string) => `#!/bin/sh\n${body}\n`;
const answers = (json: string) => ({ content: sh(`cat >/dev/null\nprintf '%s' '${json}'`) });

const prints = (format: string) => ({ content: sh(`cat >/dev/null\nprintf '${format}'`) });
const utf16 = (end: "le" | "be", withMark: boolean) => ({
  file: "run.mjs",
  content: `const text = ${JSON.stringify(withMark ? "\ufeff" : "")} + '{"decision":"deny","reason":"not on my watch: ü"}';
const bytes = Buffer.from(text, "utf16le");
process.stdout.write(${end === "le" ? "bytes" : "bytes.swap16()"});
`,
});

/** Prints parts in their order: texts, bytes, and texts in UTF-16. */
const bytes = (...parts: readonly string[]) => ({
  file: "run.mjs",
  content: `const utf16le = (text) => Buffer.from(text, "utf16le");
const TEXT = "a file in UTF-16: ∈ü\\n".repeat(40);
const CHATTER = "chatter\\n".repeat(190_000);
const DENY = '{"decision":"deny","reason":"not on my watch"}';
process.stdout.write(Buffer.concat([${parts.join(", ")}].map((part) => Buffer.from(part))));
`,
});

export const SCRIPTS: Readonly<Record<string, ProcessScript>> = {
  "exits 0 and prints nothing": { content: sh("exit 0") },
  "exits 0 and prints text": { content: sh("echo 'the text is logged'") },
  'exits 0 and prints `{"decision":"allow"}`': answers('{"decision":"allow"}'),
  'exits 0 and prints `{"decision":"deny"}`': answers('{"decision":"deny"}'),
  "exits 0 with a deny and a reason": answers('{"decision":"deny","reason":"not on my watch"}'),
  "exits 0 with a deny and unknown fields": answers('{"decision":"block","reason":"not on my watch","x":1}'),
  "exits 0 with a deny whose reason is no text": answers('{"decision":"deny","reason":42}'),
  "exits 0 with an ask": answers('{"decision":"ask","reason":"deploys to production"}'),
  "exits 0 with an ask that is not for the requester": answers(
    '{"decision":"ask","reason":"deploys to production","not_by":"requester"}',
  ),
  "exits 0 with an ask that is not for somebody unknown": answers(
    '{"decision":"ask","reason":"deploys to production","not_by":"ann"}',
  ),
  "exits 0 with two asks, one not for the requester, among text": prints(
    'checking\\n{"decision":"ask","reason":"deploys to production"}\\n{"decision":"ask","not_by":"requester"}\\ndone',
  ),
  "exits 0 with a stop": answers('{"decision":"stop","reason":"budget used up"}'),
  "exits 0 and changes the input": answers('{"decision":"approve","modified_input":{"command":"ls -la"}}'),
  "exits 0 and adds context": answers('{"additional_context":"by the way"}'),
  "exits 0 with an unknown decision": answers('{"decision":"maybe"}'),
  "exits 0 with an input of the wrong shape": answers('{"decision":"allow","modified_input":"ls"}'),
  "exits 0 and prints broken JSON": answers('{"decision":"de'),
  "exits 0 and prints a line before its deny": prints(
    'checking ls …\\n{"decision":"deny","reason":"not on my watch"}',
  ),
  "exits 0 and prints a line after its deny": prints(
    '{"decision":"deny","reason":"not on my watch"}\\ndone in 0.1 s',
  ),
  "exits 0 and prints a deny in a line of text": prints(
    '[12:01:07] INFO {"decision":"deny","reason":"not on my watch"} (1 rule)',
  ),
  "exits 0 and prints a deny over several lines among others": prints(
    'rules: {3}\\n{\\n  "decision": "deny",\\n  "reason": "not on my watch"\\n}\\ndone',
  ),
  "exits 0 with a deny in colours": prints(
    '\\033[1;39m{\\033[34;1m"decision"\\033[0m:\\033[32m"deny"\\033[0m,"reason":"not on my \\033[31mwatch\\033[0m"}\\033[0m\\n',
  ),
  "exits 0 with a deny behind a byte order mark": prints(
    '\\357\\273\\277{"decision":"deny","reason":"not on my watch"}',
  ),
  "exits 0 with a deny in UTF-16, little end first": utf16("le", true),
  "exits 0 with a deny in UTF-16, big end first": utf16("be", true),
  "exits 0 with a deny in UTF-16, little end first, without a mark": utf16("le", false),
  "exits 0 with a deny in UTF-16, big end first, without a mark": utf16("be", false),
  "exits 0 with UTF-8 first and a deny in UTF-16 behind it": {
    file: "run.mjs",
    content: `process.stdout.write("checked 3 rules\\n");\nprocess.stdout.write(Buffer.from('{"decision":"deny","reason":"not on my watch"}', "utf16le"));\n`,
  },
  "exits 0 with UTF-16 first and a deny in UTF-8 behind it": bytes("utf16le(TEXT)", "DENY"),
  "exits 0 with a deny in UTF-8 between texts in UTF-16": bytes("utf16le(TEXT)", "DENY", "utf16le(TEXT)"),
  "exits 0 with a deny in UTF-8 behind the bytes FF FE": bytes("[0xff, 0xfe]", "DENY"),
  "exits 0 with a deny in UTF-8 behind the bytes FE FF": bytes("[0xfe, 0xff]", "DENY"),
  "exits 0 with an allow in UTF-16 among texts in UTF-8": bytes(
    "'checked ∈ 1'",
    `utf16le('{"decision":"allow","reason":"∈∈"}')`,
    "' done'",
  ),
  "exits 0 and prints a binary file": bytes("Array.from({ length: 100_000 }, (_, at) => (at * at * 7) >> 3)"),
  "exits 0 with bytes that are not UTF-8 inside the key of a deny": bytes(
    `'{"deci'`,
    "[0xff]",
    `'sion":"deny"}'`,
  ),
  "exits 0 with bytes that are not UTF-8 in a changed input": bytes(
    `'{"modified_input":{"command":"rm caf'`,
    "[0xe9]",
    `'"}}'`,
  ),
  "exits 0 with a deny in an array": answers('[{"decision":"deny","reason":"not on my watch"}]'),
  "exits 0 with several objects, one of them a deny": prints(
    '{"decision":"allow"}\\n{"decision":"deny","reason":"not on my watch"}\\n{"decision":"ask"}\\n',
  ),
  "exits 0 with a deny in a code block": prints(
    '```json\\n{"decision":"deny","reason":"not on my watch"}\\n```\\n',
  ),
  "exits 0 with `Decision` and `Deny`": answers('{"Decision":" Deny ","Reason":"not on my watch"}'),
  "exits 0 with two decisions under one key": answers(
    '{"decision":"deny","decision":"allow","reason":"not on my watch"}',
  ),
  "exits 0 with a decision whose key is written in escapes": {
    file: "run.mjs",
    content: `process.stdout.write('{"\\\\u0064ecision":"deny","reason":"not on my watch"}');\n`,
  },
  "exits 0 with a deny inside another object": answers(
    '{"result":{"decision":"deny","reason":"not on my watch"}}',
  ),
  "exits 0 with `hookSpecificOutput.permissionDecision`": answers(
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not on my watch"}}',
  ),
  "exits 0 with `permissionDecision` at the top": answers(
    '{"permissionDecision":"ask","permissionDecisionReason":"deploys to production"}',
  ),
  "exits 0 with `hookSpecificOutput.updatedInput`": answers(
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -la"}}}',
  ),
  "exits 0 with `continue: false`": answers('{"continue":false,"stopReason":"budget used up"}'),
  "exits 0 with `permission: deny`": answers('{"permission":"deny","agent_message":"not on my watch"}'),
  "exits 0 with `decision.behavior: deny`": answers(
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not on my watch"}}}',
  ),
  "exits 0 with `halt: true`": answers('{"halt":true,"reason":"budget used up"}'),
  "exits 0 with `action: block`": answers('{"action":"block","block_reason":"not on my watch"}'),
  "exits 0 with a deny after 3 MB of other output": {
    content: sh(`yes chatter | head -c 3000000\necho '{"decision":"deny","reason":"not on my watch"}'`),
  },
  "exits 0 with a deny in the middle of 3 MB of other output": bytes("CHATTER", "DENY", "CHATTER"),
  "exits 0 with a deny in UTF-16 in the middle of 3 MB of other output": bytes(
    "CHATTER",
    "utf16le(DENY)",
    "CHATTER",
  ),
  "exits 0 with a broken deny in the middle of 3 MB of other output": bytes(
    "CHATTER",
    "DENY.slice(0, -1)",
    "CHATTER",
  ),
  "exits 0 with an allow in the middle of 3 MB of other output": bytes(
    "CHATTER",
    `'{"decision":"allow"}'`,
    "CHATTER",
  ),
  "exits 0 with an allow and JSON logs": prints('{"level":"info","msg":"checked"}\\n{"decision":"allow"}\\n'),
  "exits 0 and prints JSON logs": prints(
    '{"level":"info","msg":"checked"}\\n{"level":"warn","msg":"slow"}\\n',
  ),
  "exits 0 and prints braces": prints("PASS {{ ok }} [1/3]\\n{ ok }\\n{ name: 0, list: [ 1 ] }\\n"),
  "exits 0 with a Python dictionary": prints("{\\047decision\\047: \\047deny\\047}"),
  "exits 0 with a JavaScript dump": prints("{ decision: \\047deny\\047 }"),
  "exits 0 with a comma too many": answers('{"decision":"deny",}'),
  "exits 0 with a comment in its JSON": answers('{"decision":"deny" /* always */}'),
  "exits 0 with NaN in its JSON": answers('{"decision":"deny","score":NaN}'),
  "exits 0 with a line break in a string": prints('{"decision":"deny","reason":"line 1\\nline 2"}'),
  "exits 0 with JSON inside a JSON string": {
    file: "run.mjs",
    content: `console.log(JSON.stringify(JSON.stringify({ decision: "deny" })));\n`,
  },
  "exits 0 with a broken deny among text": prints('checking ls\\n{"decision":"deny"\\ndone'),
  "exits 0 with a change among text": prints('checking ls\\n{"modified_input":{"command":"ls -la"}}\\n'),
  "exits 0 with JSON of 5,000 levels that ends in a deny": {
    file: "run.mjs",
    content: `process.stdout.write('{"a":'.repeat(5000) + '1' + '}'.repeat(4999) + ',"decision":"deny"}');\n`,
  },
  "exits 0 and prints a deny on stderr": { content: sh(`echo '{"decision":"deny"}' >&2`) },
  "exits 0 and prints more JSON than is read": {
    content: sh("printf '{\"log\":\"'\nhead -c 2000000 /dev/zero | tr '\\0' x\nprintf '\"}'"),
  },
  "exits 2 with a reason on stderr": { content: sh("echo 'rm -rf / would destroy the system' >&2; exit 2") },
  "exits 2 without a reason": { content: sh("exit 2") },
  "exits 2 with an allow on stdout": { content: sh(`echo '{"decision":"allow"}'; echo no >&2; exit 2`) },
  "exits 1": { content: sh("exit 1") },
  "exits 3 and explains on stderr": { content: sh("echo 'out of disk' >&2; exit 3") },
  "is killed by a signal": { content: sh("kill -9 $$") },
  "outlives its timeout": { content: sh("sleep 30"), timeoutMs: 300 },
  "outlives its timeout and ignores SIGTERM": {
    content: sh("trap '' TERM\nwhile :; do sleep 0.1; done"),
    timeoutMs: 300,
  },
  "exits before it has read its input": { content: sh("exit 0"), inputBytes: 200_000 },
  "never reads a 5 MB event": { content: sh("sleep 0.2; exit 0"), inputBytes: 5_000_000 },
  "closes its input at once and works on": {
    content: sh("exec <&-\nsleep 0.2\necho 'closed early' >&2\nexit 2"),
    inputBytes: 1_000_000,
  },
  "floods stdout without end": { content: sh("exec yes"), timeoutMs: 24_000 },
  "floods stderr without end": { content: sh("exec yes >&2") },
  "prints 5 MB of chatter and exits 0": { content: sh("yes chatter | head -c 5000000") },
  "prints a test report of 2 MiB and exits 0": bytes(
    '\'PASS { ok } [1/3] "a decision to deny" {"numFailedTests":0}\\n\'.repeat(36_000)',
  ),
  "prints a deny and then more than 64 MiB": {
    content: sh(`echo '{"decision":"deny"}'\nexec yes chatter`),
    timeoutMs: 24_000,
  },
  "leaves a child behind that keeps the pipe open": {
    content: sh("sleep 30 &\necho 'the parent has spoken' >&2\nexit 2"),
  },
  "forks twice and exits": { content: sh("(sleep 2 >/dev/null 2>&1 </dev/null &) &\nexit 0") },
  "prints bytes that are no UTF-8": { content: sh("printf 'caf\\351' >&2; exit 2") },
  "is not executable but names its interpreter": {
    content: sh("echo 'started by its interpreter' >&2; exit 2"),
    mode: 0o644,
  },
  "is not executable and names none": { file: "run", content: "exit 2\n", mode: 0o644 },
  "names an interpreter that is missing": { content: "#!/nowhere/interpreter\nexit 2\n" },
  "has a #! line that the system would cut": {
    content: `#!${"/".repeat(250)}/bin/sh\necho "started as something else"\nexit 0\n`,
  },
  "is a shell script with Windows line ends": { content: "#!/bin/sh\r\nexit 2\r\n" },
  "is a Python script with Windows line ends": {
    file: "run.py",
    content: "#!/usr/bin/env python3\r\nimport sys\r\nsys.stderr.write('from python')\r\nsys.exit(2)\r\n",
  },
  "lives under a path with spaces and ünïcode": {
    folder: "a hook with spaces and ünïcode 漢字",
    content: sh('[ -f "$TENTERHOOK_HOOK_DIR/scripts/run.sh" ] && echo "found me" >&2\nexit 2'),
  },
  "is written in JavaScript": {
    file: "run.mjs",
    content: "process.stderr.write('from node');\nprocess.exitCode = 2;\n",
    mode: 0o644,
  },
  "is not there": {},
  "is empty": { file: "run.sh", content: "\n" },
  "is not needed, because the hook has `action: block`": { action: { type: "block", reason: "by decree" } },
  "is not needed, because the hook has `action: ask`": { action: { type: "ask", reason: "sure?" } },
};
