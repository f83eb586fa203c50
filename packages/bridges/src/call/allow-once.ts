import { createHash } from "node:crypto";
import { hashFolder } from "@tenterhook/file-hooks/trust";
import {
  canonicalJson,
  findInexactNumber,
  findInexactNumbers,
  isRecord,
  messageOf,
  typedCommand,
} from "@tenterhook/internal";
import { storeAsked, takeAllowance } from "../allowances/allowance-files.ts";
import type { AskedCall, AskedInput, Question } from "../allowances/asked-call.ts";
import type { CallVerdict } from "./decide/call-verdict.ts";
import type { Decided } from "./decide/decide.ts";
import { encode } from "./encode/encode.ts";
import { encodedEvent } from "./encode/encode-call.ts";
import type { HookSet } from "./match/match-hooks.ts";
import type { NativePayload, OpenCall } from "./read/read-call.ts";

type Ask = CallVerdict & { readonly type: "ask" };

/**
 * Uses a person's allowance of a call that hooks ask about, where the client cannot ask. Without one, the refusal gets the code with which
 * they can allow the call once. All hooks have judged the call before, so what any of them refuses stays refused.
 */
export async function allowOnce(
  open: OpenCall,
  { set }: { readonly set: HookSet },
  decided: Decided,
): Promise<Decided> {
  const { complete } = decided;
  if (complete.type !== "ask" || !isRefused(open, decided, complete)) return decided;
  const { reason: _, by: _by, questions: _questions, ...rest } = complete;
  const passed: CallVerdict = { ...rest, type: "proceed" };
  // No allowance is used, and no code given, for a change that the client cannot make.
  if (isRefused(open, decided, passed)) return decided;
  const now = Date.now();
  try {
    const call = await makeAskedCall(open, set, decided, complete);
    const { state } = open.location;
    if (takeAllowance(state, call, now))
      return { ...decided, verdict: passed, complete: passed, isAllowedOnce: true };
    const allowedBy = `${typedCommand()} allow ${storeAsked(state, call, now)}`;
    return { ...decided, complete: { ...complete, allowedBy } };
  } catch (error) {
    const note = `a person cannot allow this by a code: ${messageOf(error)}`;
    return { ...decided, complete: { ...complete, notes: [...complete.notes, note] } };
  }
}

function isRefused(open: OpenCall, { event }: Decided, verdict: CallVerdict): boolean {
  return encode(encodedEvent(open, event), verdict).kind === "block";
}

/** What an allowance of the call is for. Throws with the reason where there can be none. */
async function makeAskedCall(
  open: OpenCall,
  set: HookSet,
  { steps }: Decided,
  { questions = [] }: Ask,
): Promise<AskedCall> {
  const { native, location } = open;
  const { client, sessionId, text, cwd } = native;
  const asked = await Promise.all(questions.map((question) => makeQuestion(set, question)));
  const known = new Set(asked.map(({ tool, input }) => canonicalJson([tool, input])));
  const parts = steps
    .filter(({ step }) => step.event === "before_tool")
    .map(({ dispatch }) => readTool(dispatch.payload));
  const rest = [
    // What is done twice was asked about once.
    ...parts.filter(({ tool, input }) => !known.delete(canonicalJson([tool, input]))),
    ...(parts.every(({ tool }) => /^(?:Write|Edit|Delete)File$/.test(tool)) ? patchOf(native) : []),
  ];
  if (findInexactNumber([asked, rest], findInexactNumbers(text)) !== undefined)
    throw new Error("it has a number that cannot be shown as it is");
  return {
    client: client.id,
    session: client.endsRunOnBlock ? "" : sessionId,
    project: location.project ?? "",
    folder: cwd,
    questions: uniqueQuestions(asked),
    rest,
  };
}

/** A patch as a whole: its parts do not say where in their files the lines are. */
function patchOf({ values: { toolName, toolInput } }: NativePayload): readonly AskedInput[] {
  const input = isRecord(toolInput) ? toolInput : { input: toolInput };
  const patch = Object.entries(input).filter(
    ([, value]) => typeof value === "string" && value.includes("*** Begin Patch"),
  );
  return patch.length === 0 ? [] : [{ tool: String(toolName), input: Object.fromEntries(patch) }];
}

async function makeQuestion(
  set: HookSet,
  { by, reason, event, payload }: NonNullable<Ask["questions"]>[number],
): Promise<Question> {
  if (event !== "before_tool") throw new Error(`it is asked at ${event}`);
  const rules = (await set.active(event)).filter(({ hook }) => hook.name === by);
  if (rules.length === 0) throw new Error(`${by} is no longer there`);
  // What counts of a rule may differ from its file: hooks.toml changes it.
  const counts = canonicalJson(rules.map(({ hook, folder }) => [hook, hashFolder(folder)]));
  const hash = createHash("sha256").update(counts).digest("hex");
  return { rule: by, hash, reason, ...readTool(payload) };
}

/** A rule that is called again about a changed value may ask the same again. */
function uniqueQuestions(questions: readonly Question[]): readonly Question[] {
  return [
    ...new Map(
      questions.map(({ reason, ...asked }) => [canonicalJson(asked), { ...asked, reason }]),
    ).values(),
  ];
}

function readTool(payload: unknown): AskedInput {
  const { toolName = "", toolInput = {} } = payload as {
    readonly toolName?: string;
    readonly toolInput?: unknown;
  };
  return { tool: toolName, input: toolInput };
}
