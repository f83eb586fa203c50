import fc from "fast-check";
import { expect, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { fixtures } from "../testing/fixtures.ts";

const clients = await loadClients();
const recorded = fixtures();

/** A recorded payload with one of its fields, however deep, replaced by something else. */
function spoiled(value: unknown, path: readonly number[], by: unknown): unknown {
  if (typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  const [at, ...rest] = path;
  if (at === undefined || keys.length === 0) return by;
  const key = keys[at % keys.length] ?? "";
  const part = (value as Readonly<Record<string, unknown>>)[key];
  const changed = spoiled(part, rest, by);
  return Array.isArray(value)
    ? value.map((each, index) => (String(index) === key ? changed : each))
    : { ...value, [key]: changed };
}

test("any payload is answered with exit 0 or 2, and refused where a guard must not be passed over", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["on_error: block", "action: block", "reason: never"] });
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("", "__proto__", null, -1, [], {}, "../../x"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...recorded),
      fc.array(fc.nat(20), { maxLength: 3 }),
      odd,
      async ({ client, event, stdin }, path, by) => {
        const { exit, stdout, stderr } = await sandbox.send(
          "claude/SessionEnd",
          {},
          {
            client,
            event,
            stdin: JSON.stringify(spoiled(stdin, path, by)),
          },
        );
        expect([0, 2]).toContain(exit);
        if (exit === 2) expect(stderr.trim()).not.toBe("");
        const native = clients.find(({ id }) => id === client)?.events[event];
        const isTool = (native?.events as readonly string[] | undefined)?.includes("before_tool");
        // A payload may say that it is another event, and then counts as that.
        if (isTool && !path.slice(0, 1).some(() => typeof by === "string"))
          expect(stdout + stderr).not.toBe("");
      },
    ),
    { numRuns: 150 },
  );
});

test.each(["", "null", "[]", "1", '"text"', "{", "\u0000"])(
  "%j on standard input does not let a call pass",
  async (stdin) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
    for (const { id, events } of clients) {
      const event = Object.keys(events).find((name) =>
        ((events[name]?.events ?? []) as readonly string[]).includes("before_tool"),
      );
      const { stderr } = await sandbox.send(
        "claude/SessionEnd",
        {},
        { client: id, event: event ?? "", stdin },
      );
      expect(stderr, id).toContain("guard must not be passed over");
    }
  },
);
