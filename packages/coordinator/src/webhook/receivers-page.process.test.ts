import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { RUN_HOOK_CONTRACTS, RUN_HOOK_TYPES, runHooks } from "@tenterhook/protocol/runs";
import { describe, expect, test } from "vitest";
import { ownHeaders } from "./own-headers.ts";

const page = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no ${language}`);
  return found;
}

const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `on_"))
  .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
  .map(([, hook = "", answer = ""]) => ({ hook: hook as keyof typeof RUN_HOOK_CONTRACTS, answer }));

test("the hook on the page is one", () => {
  expect(runHooks.parse(JSON.parse(block("json")).hooks)).toHaveProperty("on_tool_call.method", "POST");
});

describe("the page for receivers", () => {
  test("describes what is sent as the contracts do", () => {
    const inputs = rows.filter(({ answer }) => !/[{(]/.test(answer));
    const always = ["agent_name", "session_id", "run_id", "parameters", "trial"];
    expect(page).toContain('has\n`"trial": true`');
    expect(inputs.map(({ hook }) => hook)).toEqual(RUN_HOOK_TYPES);
    for (const { hook, answer } of inputs) {
      const fields = answer === "" ? [] : answer.split(", ");
      expect(Object.keys(RUN_HOOK_CONTRACTS[hook].input.shape)).toEqual([...always, ...fields]);
    }
  });

  test.each(rows.filter(({ answer }) => answer.startsWith("{")))(
    "$hook may answer: $answer",
    ({ hook, answer }) => {
      const value: unknown = JSON.parse(answer);
      expect(RUN_HOOK_CONTRACTS[hook].output.parse(value)).toEqual(value);
    },
  );

  test.each(rows.filter(({ answer }) => answer.startsWith("nothing")))(
    "$hook may answer nothing",
    ({ hook }) => {
      expect(RUN_HOOK_CONTRACTS[hook].output.safeParse(undefined).success).toBe(true);
    },
  );
});

describe("the code on the page", () => {
  const body = Buffer.from('{"city":"Zürich"}');
  const now = Date.now();
  const about = { idempotencyKey: "hook-1", hookType: "on_run_start" } as const;
  const headers = ownHeaders(body, about, ["k3y"], now);
  const both = ownHeaders(body, about, ["n3w", "k3y"], now);
  /** Headers, body and key, and whether that is to be believed. */
  const cases = [
    [headers, body, "k3y", true],
    [headers, body, "other", false],
    [headers, Buffer.from('{"city":"Paris"}'), "k3y", false],
    [both, body, "k3y", true],
    [both, body, "n3w", true],
    [both, body, "other", false],
    [ownHeaders(body, about, ["k3y"], now - 400_000), body, "k3y", false],
    [{ ...headers, "tenterhook-signature": "" }, body, "k3y", false],
    [{ ...headers, "tenterhook-signature": `v1=${"é".repeat(64)}` }, body, "k3y", false],
    [{ ...headers, "tenterhook-timestamp": "" }, body, "k3y", false],
    [{}, body, "k3y", false],
  ] as const;
  const expected = cases.map(([, , , genuine]) => genuine);

  test("verifies webhooks in JavaScript", async () => {
    const { verify } = (await import(`data:text/javascript,${encodeURIComponent(block("js"))}`)) as {
      verify: (headers: unknown, rawBody: Buffer, key: string) => boolean;
    };
    expect(cases.map(([headers, rawBody, key]) => verify(headers, rawBody, key))).toEqual(expected);
  });

  test("verifies webhooks in Python", async ({ skip }) => {
    const titled = (headers: object) =>
      Object.entries(headers).map(([name, value]) => [
        name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
        value,
      ]);
    const asked = cases.map(([headers, rawBody, key]) => [
      Object.fromEntries(titled(headers)),
      rawBody.toString(),
      key,
    ]);
    const ask =
      "import json, sys\nprint(json.dumps([verify(h, b.encode(), k) for h, b, k in json.loads(sys.argv[1])]))";
    const run = promisify(execFile)("python3", ["-c", `${block("python")}\n${ask}`, JSON.stringify(asked)]);
    const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") skip("there is no Python here");
      throw error;
    });
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
