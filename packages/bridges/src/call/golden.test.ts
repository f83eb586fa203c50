import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadClient } from "../clients/index.ts";
import { fixtures } from "../testing/fixtures.ts";
import type { CallVerdict } from "./decide/call-verdict.ts";
import { encode } from "./encode/encode.ts";
import { isIgnored, readPayload } from "./read/read-call.ts";
import type { Input } from "./translate/canonical-call.ts";
import { type Step, translate } from "./translate/translate.ts";

const GOLDEN = fileURLToPath(new URL("../../golden", import.meta.url));
const common = { context: [], notes: [] };

/** What hooks may come to, one of each kind. */
const VERDICTS: Readonly<Record<string, CallVerdict>> = {
  proceed: { type: "proceed", ...common },
  block: { type: "block", reason: "because", ...common },
  stop: { type: "stop", reason: "enough", ...common },
  ask: { type: "ask", reason: "sure?", ...common },
  context: { type: "proceed", context: ["know this"], notes: [] },
  note: { type: "proceed", context: [], notes: ["the hook h did not answer"] },
};

async function goldenOf({ client: id, event, stdin }: ReturnType<typeof fixtures>[number]) {
  const client = await loadClient(id);
  if (client === undefined) throw new Error(`there is no client ${id}`);
  const native = readPayload(client, event, JSON.stringify(stdin), "/elsewhere");
  if (isIgnored(native)) return { ignored: true };
  let translated: ReturnType<typeof translate>;
  try {
    translated = translate(native);
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
  const { steps, call } = translated;
  const input = native.values.toolInput as Input | undefined;
  const mode = native.values.permissionMode;
  const at = {
    client,
    eventName: native.eventName,
    native: native.event,
    event: steps[0]?.event ?? "on_error",
    ...(input !== undefined && { input }),
    ...(typeof mode === "string" && { permissionMode: mode }),
  } as const;
  const verdicts: Record<string, CallVerdict> = { ...VERDICTS };
  if (at.event === "before_tool" && call !== undefined) {
    const back = call.putBack(call.calls.map(({ input: before }) => changed(before)));
    if (back !== undefined) {
      verdicts.rewrite = {
        type: "proceed",
        input: back,
        changedBy: { hooks: ["h"], mayApprove: false },
        ...common,
      };
      verdicts.rewrite_may_approve = { ...verdicts.rewrite, changedBy: { hooks: ["h"], mayApprove: true } };
    }
  }
  if (at.event === "after_tool")
    verdicts.result = { type: "proceed", result: { value: "clean", by: "h" }, ...common };
  const answers = Object.entries(verdicts).map(([name, verdict]) => {
    const { answer, kind, refusal, keptContext, keptNotes, shortfalls } = encode(at, verdict);
    return [name, { told: kind, ...answer, refusal, keptContext, keptNotes, shortfalls }] as const;
  });
  return { steps: steps.map(withoutNative), answers: Object.fromEntries(answers) };
}

/** A call's input with its main argument changed. */
function changed(input: Input): Input {
  const key = ["command", "content", "new_string", "file_path", "prompt"].find((each) =>
    Object.hasOwn(input, each),
  );
  return { ...input, [key ?? "text"]: "CHANGED" };
}

/** The native payload stays whole in every event; it need not be written down once more. */
function withoutNative({ event, payload }: Step) {
  const { context, ...rest } = payload as { readonly context?: { readonly native?: object } };
  return { event, payload: rest, native: Object.keys(context?.native ?? {}).sort() };
}

test.each(fixtures().map((each) => [each.name, each] as const))(
  "%s becomes the events, and each verdict the bytes, of its golden file",
  async (name, fixture) => {
    const now = `${JSON.stringify(await goldenOf(fixture), undefined, 2)}\n`;
    const path = join(GOLDEN, `${name}.json`);
    if (process.env.TENTERHOOK_UPDATE_GOLDEN === "1") {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, now);
    }
    expect(JSON.parse(now)).toEqual(JSON.parse(readFileSync(path, "utf8")));
  },
);
