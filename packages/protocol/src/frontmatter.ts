import { z } from "zod";
import { isHookNameTooLong, LONGEST_HOOK_NAME, normalName } from "./descriptor.ts";

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
    .strictObject(
      {
        tool: z.string("must be a regular expression").optional(),
        pattern: z.string("must be a regular expression").optional(),
      },
      {
        error: (issue) =>
          issue.code === "unrecognized_keys"
            ? `has no field ${issue.keys.join(", ")}; it has tool and pattern`
            : "must be an object with tool and pattern",
      },
    )
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
      },
      "must be an object",
    )
    .default({}),
  on_error: z.enum(["block", "continue"], "must be block or continue").default("continue"),
  always: z.boolean("must be true or false").default(false),
  rejudge: z.boolean("must be true or false").default(true),
  enforce: z.boolean("must be true or false").default(true),
  action: z.enum(["block"], "can only be block").optional(),
  reason: z.string("must be text").min(1, "must not be empty").optional(),
});

export type Frontmatter = z.infer<typeof frontmatter>;
