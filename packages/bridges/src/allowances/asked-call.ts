import { createHash } from "node:crypto";
import { canonicalJson, isRecord } from "@tenterhook/internal";

/** A call that rules asked a person about, with all that an allowance is for. It is what the person is shown, too. */
export interface AskedCall {
  readonly client: string;
  /** Empty where the client names none, or ends its run at a refusal: the next one has another session. */
  readonly session: string;
  readonly project: string;
  readonly folder: string;
  readonly questions: readonly Question[];
  /** The parts of the call that no rule asked about, such as other files of a patch. */
  readonly rest: readonly AskedInput[];
}

export interface AskedInput {
  readonly tool: string;
  readonly input: unknown;
}

/** What one rule asked: the tool and the input are those that it judged. */
export interface Question extends AskedInput {
  readonly rule: string;
  /** Of everything in the rule's folder, and of the rule as it counts. */
  readonly hash: string;
  readonly reason: string;
}

/** The hash of what an allowance is for. The reason is not a part of it: a script may put the time into it. */
export function makeKey({ client, session, project, folder, questions, rest }: AskedCall): string {
  const asked = questions.map(({ rule, hash, tool, input }) => [rule, hash, tool, input]);
  const others = rest.map(({ tool, input }) => [tool, input]);
  const text = canonicalJson([client, session, project, folder, asked, others]);
  return createHash("sha256").update(text).digest("hex");
}

/** Without digits and letters that are taken for each other. */
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const SHORTEST_CODE = 4;
const LONGEST_CODE = 12;
const CODE = new RegExp(`^[${LETTERS}]{${SHORTEST_CODE},${LONGEST_CODE}}$`);

/** The codes of a call, the shortest first. A longer one is for a call whose shorter one another call has. */
export function listCodes(key: string): readonly string[] {
  let left = BigInt(`0x${key}`);
  let code = "";
  while (code.length < LONGEST_CODE) {
    code += LETTERS[Number(left % BigInt(LETTERS.length))];
    left /= BigInt(LETTERS.length);
  }
  return [...Array(LONGEST_CODE - SHORTEST_CODE + 1).keys()].map((more) =>
    code.slice(0, SHORTEST_CODE + more),
  );
}

/** The code in what a person has typed; `undefined` for what is not a code. */
export function readCode(typed: string): string | undefined {
  const code = typed.trim().toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** Reads a stored call; `undefined` for anything else. */
export function readAskedCall(value: unknown): AskedCall | undefined {
  if (!isRecord(value)) return undefined;
  const { client, session, project, folder, questions, rest } = value;
  const isCall =
    [client, session, project, folder].every(isText) &&
    isListOf(questions, isQuestion) &&
    questions.length > 0 &&
    isListOf(rest, isToolInput);
  return isCall ? (value as unknown as AskedCall) : undefined;
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isToolInput(value: unknown): value is AskedInput {
  return isRecord(value) && isText(value.tool) && isRecord(value.input);
}

function isQuestion(value: unknown): value is Question {
  if (!isToolInput(value)) return false;
  const { rule, hash, reason } = value as Partial<Question>;
  return [rule, hash, reason].every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
