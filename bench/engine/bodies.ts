/** What the hook bodies look at; the peers are given the payload itself. */
export interface Subject {
  readonly toolName: string;
  readonly toolInput: { readonly command: string };
}

/**
 * Ten distinct hook bodies that read the context, as ten different rules would. They are separate functions on
 * purpose: one function registered ten times would let every engine inline it, and measure nothing.
 */
export const syncBodies: readonly ((subject: Subject) => undefined)[] = [
  (subject) => check(subject.toolInput.command.length === 1001),
  (subject) => check(subject.toolName.length === 1002),
  (subject) => check(subject.toolInput.command.charCodeAt(0) === 3),
  (subject) => check(subject.toolInput.command === "rm -rf /"),
  (subject) => check(subject.toolInput.command.length > 5000),
  (subject) => check(subject.toolName === "Nothing"),
  (subject) => check(subject.toolInput.command.charCodeAt(1) === 7),
  (subject) => check(subject.toolInput.command === ""),
  (subject) => check(subject.toolInput.command.charCodeAt(2) === 9),
  (subject) => check(subject.toolName.charCodeAt(0) === 10),
];

/** The same rules behind a promise. */
export const asyncBodies: readonly ((subject: Subject) => Promise<undefined>)[] = [
  async (subject) => check(subject.toolInput.command.length === 1001),
  async (subject) => check(subject.toolName.length === 1002),
  async (subject) => check(subject.toolInput.command.charCodeAt(0) === 3),
  async (subject) => check(subject.toolInput.command === "rm -rf /"),
  async (subject) => check(subject.toolInput.command.length > 5000),
  async (subject) => check(subject.toolName === "Nothing"),
  async (subject) => check(subject.toolInput.command.charCodeAt(1) === 7),
  async (subject) => check(subject.toolInput.command === ""),
  async (subject) => check(subject.toolInput.command.charCodeAt(2) === 9),
  async (subject) => check(subject.toolName.charCodeAt(0) === 10),
];

/** Never happens; but the engines cannot know, so the bodies are not optimised away. */
function check(broken: boolean): undefined {
  if (broken) throw new Error("a benchmark rule fired; the payloads and the rules do not fit");
  return undefined;
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
