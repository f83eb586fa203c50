import { z } from "zod";
import { record } from "./shared-schemas.ts";

/** A JSON Schema, which is checked when a blueprint is saved, not here. */
export const jsonSchemaObject = z.record(z.string(), z.unknown());

/** Names of agents and of named hooks. They are part of addresses, so they are plain. */
export const NAME_PATTERN = /^[a-z0-9](?:[a-z0-9_-]{0,62})$/i;
export const agentName = z
  .string()
  .regex(
    NAME_PATTERN,
    "must be 1 to 63 letters, digits, hyphens or underscores, and begin with a letter or digit",
  );

/** When hooks of a run fire. */
export const RUN_HOOK_TYPES = [
  "on_run_start",
  "on_tool_call",
  "on_result",
  "on_run_finish",
  "on_run_error",
  "on_timeout",
] as const;
export type RunHookType = (typeof RUN_HOOK_TYPES)[number];

const onError = z
  .enum(["block", "continue", "ignore"])
  .transform((given): "block" | "continue" => (given === "block" ? "block" : "continue"))
  .describe("what a failing hook means; `ignore` is `continue`");

/** The default time limit of a hook. */
export const DEFAULT_HOOK_SECONDS = 300;

const shared = {
  on_error: onError,
  timeout_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe(
      "default 300; an agent that a finish hook starts and that is not waited for has no limit by default",
    ),
  mode: z
    .enum(["sync", "async"])
    .optional()
    .describe("default: sync for start, tool call and result; else async"),
  enforce: z
    .boolean()
    .optional()
    .describe(
      "false: it is called, what it would have done is recorded, and nothing else follows from it; default true",
    ),
};

export const agentHook = z.strictObject({ type: z.literal("agent"), agent_name: agentName, ...shared });

export const httpHook = z.strictObject({
  type: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }),
  method: z.enum(["POST", "PUT", "PATCH"]).default("POST"),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe("a dollar sign and a name in braces is replaced by an allowed variable"),
  ...shared,
});

export const runHookDefinition = z.discriminatedUnion("type", [agentHook, httpHook]);
export type RunHookDefinition = z.infer<typeof runHookDefinition>;

const hookReference = z.strictObject({ $ref: agentName });
export const runHook = z.union([runHookDefinition, hookReference]);

/** The hooks of a blueprint, at most one of a type. `on_error` is another word for `on_run_error`. */
export const runHooks = z
  .strictObject({
    on_run_start: runHook.optional(),
    on_tool_call: runHook.optional(),
    on_result: runHook.optional(),
    on_run_finish: runHook.optional(),
    on_run_error: runHook.optional(),
    on_error: runHook.optional(),
    on_timeout: runHook.optional(),
  })
  .refine((hooks) => hooks.on_error === undefined || hooks.on_run_error === undefined, {
    path: ["on_error"],
    message: "is another word for on_run_error; give only one of them",
  })
  .transform(({ on_error, ...hooks }) =>
    on_error === undefined ? hooks : { ...hooks, on_run_error: on_error },
  );

/** The name of the runner's model that an autonomous agent uses if its blueprint names none. */
export const DEFAULT_MODEL = "default";

interface Described {
  name: string;
  type: "autonomous" | "procedural";
  model?: string | Record<string, unknown> | undefined;
  command?: string[] | undefined;
  module?: string | undefined;
}

/**
 * What executes an agent whose blueprint names nothing: the runner's default model, or the program of the agent's name. It stands
 * where the fields would, so that a blueprint that is read and saved again is the same.
 */
function withDefaults<T extends Described>(blueprint: T): T {
  const { name, type, model, command, module } = blueprint;
  if (type === "autonomous" ? model !== undefined : command !== undefined || module !== undefined) {
    return blueprint;
  }
  const entries = Object.entries(blueprint).flatMap(([key, value]) => {
    if (key === "tools" && type === "autonomous")
      return [
        ["model", DEFAULT_MODEL],
        [key, value],
      ];
    if (key === "mcp_servers" && type === "procedural")
      return [
        [key, value],
        ["command", [name]],
      ];
    return [[key, value]];
  });
  return Object.fromEntries(entries) as T;
}

/** What starts a run of an agent to show what it does. */
export const agentDemo = z.strictObject({ title: z.string().min(1).max(60), parameters: record.default({}) });

/** How an agent of the fleet is described. */
export const blueprint = z
  .strictObject({
    name: agentName,
    type: z.enum(["autonomous", "procedural"]),
    description: z.string().max(4_000).default(""),
    system_prompt: z.string().optional().describe("autonomous: its instructions"),
    model: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe(
        "autonomous: the name of a model of the runner, or a model's configuration; default: the runner's model \"default\"",
      ),
    tools: z.array(z.string()).default([]),
    mcp_servers: z.array(z.string()).default([]).describe("names of MCP servers of the runner"),
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("procedural: program and arguments; default: the program that has the agent's name"),
    module: z.string().optional().describe("procedural: a JavaScript module whose default export is called"),
    parameters_schema: jsonSchemaObject.optional(),
    output_schema: jsonSchemaObject.optional(),
    hooks: runHooks.default({}),
    tags: z.array(z.string().min(1).max(63)).max(32).default([]).describe("a runner must have all of them"),
    timeout_seconds: z.int().min(1).max(604_800).optional(),
    max_attempts: z.int().min(1).max(20).default(1),
    demo: agentDemo.optional().describe("a button of the page while it has few runs"),
  })
  .superRefine(({ type, command, module, model, tools, mcp_servers }, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (type === "procedural") {
      if (command !== undefined && module !== undefined) {
        wrong("command", "a procedural agent has a command or a module, and not both");
      }
      if (model !== undefined) wrong("model", "is for autonomous agents");
      if (tools.length > 0) wrong("tools", "are for autonomous agents");
      if (mcp_servers.length > 0) wrong("mcp_servers", "are for autonomous agents");
      return;
    }
    if (command !== undefined) wrong("command", "is for procedural agents");
    if (module !== undefined) wrong("module", "is for procedural agents");
  })
  .overwrite(withDefaults);
export type Blueprint = z.infer<typeof blueprint>;
export type BlueprintInput = z.input<typeof blueprint>;
