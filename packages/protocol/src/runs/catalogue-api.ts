import { z } from "zod";
import { agentDemo, agentName, blueprint, RUN_HOOK_TYPES, runHookDefinition } from "./blueprint.ts";
import { personName } from "./person-name.ts";
import { runnerName, runnerTags } from "./runner-name.ts";
import { PAGE_SCOPES, SCOPES } from "./scopes.ts";
import { nextCursor, time } from "./shared-schemas.ts";

const editor = z.string().nullable().describe("the name of the person or token that saved it");

export const agentSummary = z.strictObject({
  name: z.string(),
  type: z.enum(["autonomous", "procedural"]),
  description: z.string(),
  revision: z.int(),
  hooks: z.array(z.enum(RUN_HOOK_TYPES)).describe("the types of hooks that it has"),
  tags: z.array(z.string()),
  demo: agentDemo.nullable(),
  updated_at: time,
  updated_by: editor,
});

export const agentRecord = z.strictObject({
  revision: z.int(),
  etag: z.string().describe("for If-Match"),
  updated_at: time,
  updated_by: editor,
  blueprint,
  used_by: z
    .strictObject({ agents: z.array(z.string()), hooks: z.array(z.string()).describe("named hooks") })
    .describe("whose hooks it executes"),
});

/** One of the versions of an agent or a named hook. */
export const revisionSummary = z.strictObject({
  revision: z.int(),
  saved_at: time,
  saved_by: editor,
});

export const revisionRecord = z.strictObject({ ...revisionSummary.shape, blueprint });

export const hookRevisionRecord = z.strictObject({
  ...revisionSummary.shape,
  definition: runHookDefinition,
});

/** How a named hook has done, in the latest thousand times that it ran. */
export const hookCounts = z.strictObject({
  ran: z.int(),
  blocked: z.int(),
  failed: z.int(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  latest: z
    .array(z.strictObject({ state: z.enum(["done", "failed", "blocked"]), duration_ms: z.int() }))
    .max(40)
    .describe("the newest that have ended, the oldest of them first"),
});

export const namedHook = z.strictObject({
  name: z.string(),
  revision: z.int(),
  definition: runHookDefinition,
  etag: z.string(),
  updated_at: time,
  updated_by: editor,
  used_by: z.array(z.string()).describe("agents"),
  counts: hookCounts,
});

export const hookAgentsQuery = z.strictObject({
  type: z.enum(RUN_HOOK_TYPES),
  mode: z.enum(["sync", "async"]).optional().describe("default: that of the type"),
});

/** Which agents can serve a type of hook, and why the others cannot. */
export const hookAgents = z.strictObject({
  agents: z.array(
    z.strictObject({
      name: z.string(),
      type: z.enum(["autonomous", "procedural"]),
      description: z.string(),
      fits: z.boolean(),
      problem: z.string().nullable(),
    }),
  ),
});

export const runner = z.strictObject({
  runner_id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  concurrency: z.int(),
  state: z.enum(["online", "draining", "gone"]),
  active_runs: z.int(),
  info: z.record(z.string(), z.unknown()),
  registered_at: time,
  seen_at: time,
  left_at: time
    .nullable()
    .describe("when it ended because it was told to; null while it is connected, and when it was lost"),
});

export const drainRequest = z.strictObject({ draining: z.boolean().default(true) });

export const tokenRequest = z
  .strictObject({
    name: personName,
    scope: z.enum(SCOPES),
    expires_in_seconds: z
      .int()
      .min(1)
      .max(315_360_000)
      .optional()
      .describe("it ends with the token that made it at the latest"),
    runner_name: runnerName.optional().describe("scope runner: the only name that it registers"),
    runner_tags: runnerTags.optional().describe("scope runner: the only tags that it registers"),
  })
  .superRefine(({ scope, ...binding }, context) => {
    for (const field of ["runner_name", "runner_tags"] as const) {
      if (scope === "runner" || binding[field] === undefined) continue;
      context.addIssue({ code: "custom", path: [field], message: "is for tokens with the scope runner" });
    }
  });

export const token = z.strictObject({
  token_id: z.string(),
  kind: z.enum(["token", "session"]).describe("`session` is a person who signed in to the page"),
  name: z.string(),
  scope: z.enum(SCOPES),
  made_with: z
    .string()
    .nullable()
    .describe("the token that made it, and with which it ends; null for that of a data folder"),
  runner_name: z.string().nullable().describe("the only name that it registers"),
  runner_tags: z.array(z.string()).nullable().describe("the only tags that it registers"),
  created_at: time,
  expires_at: time.nullable(),
  used_at: time.nullable(),
});

export const revokeQuery = z.strictObject({
  even_last_admin: z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
    .optional()
    .describe(
      "revoke it although no token with the scope admin remains; the next start of the coordinator makes one",
    ),
});

/** What ended when a token was revoked. */
export const revokedToken = z.strictObject({
  token_id: z.string(),
  also: z
    .strictObject({ tokens: z.int(), sessions: z.int() })
    .describe("what was made with it, directly or not, and ended with it"),
});

export const newToken = z.strictObject({
  ...token.shape,
  token: z.string().describe("shown this once; only its hash is kept"),
});

/** The keys that sign webhooks. */
export const webhookKey = z.strictObject({
  key: z.string(),
  previous_key: z.string().nullable().describe("signs as well, until it is retired"),
});

export const rotateKeyRequest = z.strictObject({
  key: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, "must be 16 to 256 letters, digits or signs of ASCII, without spaces")
    .optional()
    .describe("default: a random one"),
});

export const loginRequest = z.strictObject({ token: z.string().min(1).max(200) });
export const loginLinkRequest = z.strictObject({
  name: personName.optional().describe("of the person who signs in by it; default: your own"),
  scope: z
    .enum(PAGE_SCOPES)
    .optional()
    .describe("what the person may do; default: what you may do, which is also the most"),
});
export const loginLink = z.strictObject({ url: z.string(), expires_at: time });
export const whoAmI = z.strictObject({
  token_id: z.string().describe("the token or session of the request, as in the list of tokens"),
  name: z.string().describe("yours, as decisions, stops and edits show it"),
  scope: z.enum(SCOPES),
});

export const agentsPage = z.strictObject({ agents: z.array(agentSummary), ...nextCursor });
export const revisionsPage = z.strictObject({ revisions: z.array(revisionSummary), ...nextCursor });
export const hooksPage = z.strictObject({ hooks: z.array(namedHook), ...nextCursor });
export const runnersPage = z.strictObject({ runners: z.array(runner), ...nextCursor });
export const tokensPage = z.strictObject({ tokens: z.array(token), ...nextCursor });

export const nameParameter = z.strictObject({ name: agentName });

export const revisionParameters = z.strictObject({
  name: agentName,
  revision: z.string().regex(/^[1-9]\d{0,8}$/, "must be a number from 1"),
});

export type AgentSummary = z.infer<typeof agentSummary>;
export type AgentRecord = z.infer<typeof agentRecord>;
export type RevisionSummary = z.infer<typeof revisionSummary>;
export type RevisionRecord = z.infer<typeof revisionRecord>;
export type HookRevisionRecord = z.infer<typeof hookRevisionRecord>;
export type RevisionsPage = z.infer<typeof revisionsPage>;
export type HookCounts = z.infer<typeof hookCounts>;
export type NamedHook = z.infer<typeof namedHook>;
export type HookAgents = z.infer<typeof hookAgents>;
export type RunnerRecord = z.infer<typeof runner>;
export type TokenRecord = z.infer<typeof token>;
export type RevokedToken = z.infer<typeof revokedToken>;
export type NewToken = z.infer<typeof newToken>;
export type WebhookKey = z.infer<typeof webhookKey>;
export type LoginLink = z.infer<typeof loginLink>;
export type AgentsPage = z.infer<typeof agentsPage>;
export type HooksPage = z.infer<typeof hooksPage>;
export type RunnersPage = z.infer<typeof runnersPage>;
export type TokensPage = z.infer<typeof tokensPage>;
