import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { answersAt } from "../event/describe-script.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const EVENTS = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");

interface Described {
  readonly event: string;
  readonly example: Readonly<Record<string, unknown>>;
}

describe("explain --script", () => {
  test("lists every event that a HOOK.md can use", async () => {
    const { stdout, code } = await new CommandSandbox().run(["explain", "--script"]);
    expect(code).toBe(0);
    for (const event of EVENTS) expect(stdout).toMatch(new RegExp(`^${event} `, "m"));
    expect(stdout).not.toContain("on_run_start");
  });

  test("prints the JSON that a script receives, which try accepts", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", script: "cat > received.json" });
    const { event, example } = (await sandbox.json(["explain", "before_tool", "--script"])) as Described;
    expect(event).toBe("before_tool");
    const tried = await sandbox.run(["try", "--event", "-"], { input: JSON.stringify(example) });
    expect([tried.code, tried.stderr]).toEqual([0, ""]);
  });

  test("accepts aliases of events", async () => {
    const { event } = (await new CommandSandbox().json([
      "explain",
      "pre-tool-call",
      "--script",
    ])) as Described;
    expect(event).toBe("before_tool");
  });

  test("suggests a similar event", async () => {
    const { code, stderr } = await new CommandSandbox().run(["explain", "before_tol", "--script"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Did you mean before_tool?")]);
  });
});

test("a script may change, ask and stop only where the event's row allows it", () => {
  const forms = (event: (typeof EVENTS)[number]) =>
    answersAt(event).map(({ stdout, exit }) =>
      exit === 2
        ? "exit 2"
        : (/"(\w+)": "?(\w*)/
            .exec(stdout ?? "")
            ?.slice(1, 3)
            .join(" ") ?? "nothing"),
    );
  expect(forms("before_tool")).toEqual([
    "nothing",
    "modified_input ",
    "additional_context ",
    "decision deny",
    "exit 2",
    "decision ask",
    "decision stop",
  ]);
  expect(forms("session_end")).toEqual(["nothing", "decision deny", "exit 2", "decision stop"]);
});
