import type { AgentRecord } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open();
});
afterAll(() => coordinator.close());

const object = { type: "object" };
const string = { type: "string" };
const hook = (agent_name: string, on_error: string, more: object = {}) => ({
  type: "agent",
  agent_name,
  on_error,
  ...more,
});

// As the design of run hooks prints them: none has a model or a command. In the order in which they name each other.
const PRINTED = [
  {
    name: "input-validator",
    type: "autonomous",
    description: "Validates and enriches input parameters",
    parameters_schema: {
      type: "object",
      description: "Matches on_run_start hook input schema",
      required: ["parameters", "agent_name"],
      properties: { parameters: object, agent_name: string, session_id: string, run_id: string },
    },
    output_schema: {
      type: "object",
      description: "Returns on_run_start hook output schema",
      required: ["action"],
      properties: {
        action: { type: "string", enum: ["continue", "block"] },
        parameters: object,
        block_reason: string,
      },
    },
    system_prompt:
      "You are a parameter validator. Analyze the input and either return parameters (possibly enriched) with action='continue', or block with a reason.",
  },
  {
    name: "data-processor",
    type: "autonomous",
    description: "Processes data with validation and formatting",
    parameters_schema: {
      type: "object",
      required: ["data_source"],
      properties: { data_source: string, options: object },
    },
    output_schema: {
      type: "object",
      required: ["processed_count", "summary"],
      properties: { processed_count: { type: "integer" }, summary: string },
    },
    hooks: {
      on_run_start: hook("input-validator", "block", { timeout_seconds: 60 }),
      on_run_finish: hook("audit-logger", "continue", { timeout_seconds: 30 }),
    },
  },
  {
    name: "data-extractor",
    type: "autonomous",
    output_schema: { type: "object", properties: { records: { type: "array" }, source: string } },
    hooks: { on_run_finish: hook("data-processor", "block") },
  },
  {
    name: "report-generator",
    type: "procedural",
    parameters_schema: {
      type: "object",
      required: ["report_id"],
      properties: { report_id: string, resolved_path: string },
    },
    hooks: { on_run_start: hook("path-resolver", "block") },
  },
] as const;

/** Printed without the agent around them. */
const HOOKS = {
  validation: { on_run_start: hook("security-validator", "block") },
  audit: { on_run_finish: hook("audit-logger", "continue") },
  reference: { on_run_finish: { $ref: "audit-logger" } },
  notification: {
    on_run_finish: {
      type: "http",
      url: "https://notifications.com/notify",
      mode: "async",
      on_error: "ignore",
    },
  },
} as const;

const put = (name: string, body: object) => coordinator.admin.put<AgentRecord>(`/agents/${name}`, body);

test("the printed blueprints are saved, with the runner's default model or the program of their name", async () => {
  for (const name of ["audit-logger", "path-resolver", "security-validator"]) {
    expect((await put(name, { type: "autonomous" })).status).toBe(201);
  }
  for (const printed of PRINTED) {
    const saved = await put(printed.name, printed);
    const executed = printed.type === "autonomous" ? { model: "default" } : { command: [printed.name] };
    expect(saved).toMatchObject({ status: 201, body: { blueprint: { ...printed, ...executed } } });
    expect((await put(printed.name, { ...printed, ...executed })).body.revision).toBe(1);
  }
});

test("the printed hooks are saved, also the named one", async () => {
  const definition = { type: "http", url: "https://audit.company.com/log", on_error: "continue" };
  expect((await coordinator.admin.put("/hooks/audit-logger", definition)).status).toBe(201);
  for (const [name, hooks] of Object.entries(HOOKS)) {
    expect((await put(name, { type: "autonomous", hooks })).status).toBe(201);
  }
});

test("an agent that the run waits for must take the hook's input", async () => {
  const hooks = { on_run_finish: hook("data-processor", "block", { mode: "sync" }) };
  expect((await put("waiting", { type: "autonomous", hooks })).body).toMatchObject({
    code: "bad_blueprint",
    field: "hooks.on_run_finish.agent_name",
  });
});
