/** What the hook bodies look at; the peers are given the payload itself. */
export interface Subject {
  readonly toolName: string;
  readonly toolInput: { readonly command?: unknown };
}

/**
 * Ten distinct hook bodies that read the context, as ten different rules would. They are separate functions on
 * purpose: one function registered ten times would let every engine inline it, and measure nothing.
 */
export const syncBodies: readonly ((subject: Subject) => undefined)[] = [
  (subject) => check(String(subject.toolInput.command).length === 1001),
  (subject) => check(subject.toolName.length === 1002),
  (subject) => check(String(subject.toolInput.command).charCodeAt(0) === 3),
  (subject) => check(subject.toolInput.command === "rm -rf /"),
  (subject) => check(String(subject.toolInput.command).length > 5000),
  (subject) => check(subject.toolName === "Nothing"),
  (subject) => check(String(subject.toolInput.command).charCodeAt(1) === 7),
  (subject) => check(subject.toolInput.command === ""),
  (subject) => check(String(subject.toolInput.command).endsWith("\0")),
  (subject) => check(subject.toolName.charCodeAt(0) === 10),
];

/** The same rules behind a promise. */
export const asyncBodies: readonly ((subject: Subject) => Promise<undefined>)[] = [
  async (subject) => check(String(subject.toolInput.command).length === 1001),
  async (subject) => check(subject.toolName.length === 1002),
  async (subject) => check(String(subject.toolInput.command).charCodeAt(0) === 3),
  async (subject) => check(subject.toolInput.command === "rm -rf /"),
  async (subject) => check(String(subject.toolInput.command).length > 5000),
  async (subject) => check(subject.toolName === "Nothing"),
  async (subject) => check(String(subject.toolInput.command).charCodeAt(1) === 7),
  async (subject) => check(subject.toolInput.command === ""),
  async (subject) => check(String(subject.toolInput.command).endsWith("\0")),
  async (subject) => check(subject.toolName.charCodeAt(0) === 10),
];

let hits = 0;

function check(broken: boolean): undefined {
  if (broken) hits++;
  return undefined;
}

/** How often a rule was broken: never, but the bodies must not be optimised away. */
export function brokenRules(): number {
  return hits;
}

/** Several payloads, so that no engine can fold the input into the code. */
export const payloads = [0, 1, 2, 3].map((n) => ({
  sessionId: "session",
  workDir: "/srv/project",
  toolName: "Shell",
  toolInput: { command: `ls -la ${n}` },
}));

export type BenchPayload = (typeof payloads)[number];

export function payloadAt(index: number): BenchPayload {
  // The mask keeps the index inside the list.
  return payloads[index & 3] as BenchPayload;
}
