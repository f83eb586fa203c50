import { expect, test } from "vitest";
import { blueprintProblems, normalBlueprint } from "./blueprint-problems.ts";

const good = { name: "a", type: "procedural", command: ["cat"] };
const found = (value: Record<string, unknown>) =>
  blueprintProblems(value).map(({ path, message, isMissing }) => [path, isMissing ? "missing" : message]);

test("a valid blueprint has no problems", () => expect(found(good)).toEqual([]));

test("an agent may leave its model to the runner", () =>
  expect(found({ type: "autonomous", name: "a" })).toEqual([]));

test.each([
  [{ ...good, name: "" }, ["name", "missing"]],
  [{ ...good, timeout_seconds: 0 }, ["timeout_seconds", "Must be at least 1"]],
  [{ ...good, timeout_seconds: 1.5 }, ["timeout_seconds", "Must be a whole number"]],
  [{ ...good, max_attempts: 21 }, ["max_attempts", "Must be at most 20"]],
  [{ ...good, unknown: 1 }, ["unknown", "Unknown field"]],
  [
    { ...good, parameters_schema: { type: "text" } },
    ["parameters_schema", expect.stringContaining("type cannot")],
  ],
  [{ ...good, tags: [""] }, ["tags.0", "Must not be empty"]],
])("the editor reports the problem of %j at its field", (value, problem) =>
  expect(found(value)).toContainEqual(problem),
);

const hooked = (hook: unknown) => found({ ...good, hooks: { on_run_start: hook } });

test.each([
  [{ type: "agent", agent_name: "b" }, ["hooks.on_run_start.on_error", "missing"]],
  [{ type: "agent", on_error: "block" }, ["hooks.on_run_start.agent_name", "missing"]],
  [
    { type: "http", url: "nowhere", on_error: "block" },
    ["hooks.on_run_start.url", "Must be an http or https address"],
  ],
  [
    { type: "http", url: "ftp://a.b", on_error: "block" },
    ["hooks.on_run_start.url", "Must be an http or https address"],
  ],
  [{ type: "mail", on_error: "block" }, ["hooks.on_run_start.type", expect.stringContaining("agent")]],
  [{ $ref: "" }, ["hooks.on_run_start.$ref", "missing"]],
  [{ $ref: "a", on_error: "block" }, ["hooks.on_run_start.on_error", "Unknown field"]],
  [
    { type: "agent", agent_name: "b", on_error: "block", timeout_seconds: 0 },
    ["hooks.on_run_start.timeout_seconds", "Must be at least 1"],
  ],
])("the editor reports the problem of the hook %j at the hook's field", (hook, problem) =>
  expect(hooked(hook)).toContainEqual(problem),
);

test("a saved agent cannot be renamed", () => {
  expect(blueprintProblems(good, "a")).toEqual([]);
  expect(blueprintProblems(good, "b")).toMatchObject([{ path: "name" }]);
});

test("fields are in the order of the schema", () => {
  const { command, type, name } = good;
  expect(Object.keys(normalBlueprint({ command, type, name })).slice(0, 3)).toEqual([
    "name",
    "type",
    "description",
  ]);
});
