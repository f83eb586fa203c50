import { z } from "zod";
import { isHookNameTooLong, LONGEST_HOOK_NAME, normalName } from "./descriptor.ts";

/** More matchers of one hook help no reader. */
const MAX_MATCHERS = 50;

const texts = (what: string) =>
  z
    .union([z.string(), z.array(z.string("must be text"))], { error: `must be ${what}, or a list of these` })
    .optional();

const pass = z.enum(["pass"], "can only be pass").optional();

const MATCHER_FIELDS = "tool, pattern, effect, path, not_path, host, unknown and unreadable";

const matcher = z.strictObject(
  {
    tool: z.string("must be a regular expression").optional(),
    pattern: z.string("must be a regular expression").optional(),
    effect: texts("the name of an effect"),
    path: texts("a path set or a glob"),
    not_path: texts("a path set or a glob"),
    host: texts("a host"),
    unknown: pass,
    unreadable: pass,
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `has no field ${issue.keys.join(", ")}; it has ${MATCHER_FIELDS}`
        : `must be an object with ${MATCHER_FIELDS}, or a list of these`,
  },
);

/** The frontmatter of a HOOK.md. Unknown fields are reported, not refused: other tools keep theirs there too. */
export const frontmatter = z.object({
  name: z
    .string("must be text")
    .min(1, "must not be empty")
    .overwrite(normalName)
    .refine((name) => !isHookNameTooLong(name), `must have at most ${LONGEST_HOOK_NAME} characters`),
  description: z
    .string("must be text")
    .min(1, "must not be empty")
    .max(1024, "must have at most 1024 characters")
    .optional(),
  trigger: z.string("must be the name of an event"),
  matcher: z
    .union([
      matcher,
      z
        .array(matcher)
        .min(1, "must have at least one matcher")
        .max(MAX_MATCHERS, `must have at most ${MAX_MATCHERS} matchers`),
    ])
    .optional(),
  timeout: z
    .int("must be a whole number of milliseconds")
    .min(100, "must be at least 100 (milliseconds)")
    .max(600_000, "must be at most 600000 (milliseconds)")
    .default(30_000),
  async: z.boolean("must be true or false").default(false),
  priority: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(1000, "must be at most 1000")
    .default(100),
  metadata: z
    .looseObject(
      {
        interpreter: z.string("must be the path of a program").min(1, "must not be empty").optional(),
        env: z
          .array(
            z
              .string("must be the name of a variable")
              .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the whole name of a variable, such as GITHUB_TOKEN")
              .max(256, "must have at most 256 characters"),
            "must be a list of names of variables, such as [GITHUB_TOKEN]",
          )
          .max(100, "must have at most 100 names")
          .optional(),
        effects: z.boolean("must be true or false").optional(),
      },
      "must be an object",
    )
    .default({}),
  on_error: z.enum(["block", "continue"], "must be block or continue").default("continue"),
  always: z.boolean("must be true or false").default(false),
  rejudge: z.boolean("must be true or false").default(true),
  enforce: z.boolean("must be true or false").default(true),
  action: z.enum(["block", "ask"], "must be block or ask").optional(),
  reason: z.string("must be text").min(1, "must not be empty").optional(),
});

export type Frontmatter = z.infer<typeof frontmatter>;
