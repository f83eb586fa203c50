// Checked by the compiler: every line that must not compile is marked, and the build fails when one does.
import type { CommandEffect, Target } from "@tenterhook/commands";
import { expectTypeOf } from "vitest";
import { createHooks } from "../hooks.ts";
import { allOf, anyOf, type MatcherLike, not } from "./matcher.ts";

const hooks = createHooks({ effectsOf: { bash: "Shell" } });
const accept = (_: MatcherLike) => undefined;

// Effects by their names, or by a shorter one that means all below it.
accept({ effect: "delete.recursive" });
accept({ effect: ["discard", "rewrite_history", "publish.lease"] });
// @ts-expect-error no effect has this name
accept({ effect: "remove" });
// @ts-expect-error a part of a word is not a name
accept({ effect: "del" });
// @ts-expect-error a list has at least one
accept({ effect: [] });

// Path sets by their names; a glob has a sign that no name has.
accept({
  effect: "delete",
  path: ["root", "home-whole", "~/notes/**", "*.pem", "./src", "/etc", ".env"],
  notPath: "made",
});
// @ts-expect-error a misspelt path set
accept({ effect: "read", path: "secret" });
// @ts-expect-error in a list, too
accept({ effect: "read", notPath: ["scratch", "fixture"] });

// All that it has must match; of a list one.
accept({
  tool: "Shell",
  pattern: /-f/,
  effect: "send",
  host: "*.example.com",
  unknown: "pass",
  unreadable: "pass",
});
accept([{ effect: "power" }, "ReadFile", { tool: /x/ }]);
// @ts-expect-error the only value is "pass"
accept({ effect: "send", unknown: "block" });
// @ts-expect-error a path is about an effect
accept({ tool: "Shell", path: "root" });
// @ts-expect-error the name in a file
accept({ effect: "send", not_path: "root" });

// They compose, and are for events with a tool.
hooks.on("before_tool", () => undefined, { matcher: allOf("Shell", not({ effect: "delete" })) });
hooks.on("after_tool", () => undefined, { matcher: [{ effect: "delete" }] });
hooks.around("around_tool", (_ctx, next) => next(), { matcher: { effect: "delete" } });
// @ts-expect-error no tool here
hooks.on("before_step", () => undefined, { matcher: { effect: "delete" } });
// @ts-expect-error nor in a list
hooks.on("before_step", () => undefined, { matcher: [{ effect: "delete" }] });
// @ts-expect-error nor in a composition
hooks.on("before_step", () => undefined, { matcher: anyOf(() => true, { effect: "delete" }) });

// The hook is told what matched.
hooks.on("before_tool", ({ match }) => {
  expectTypeOf(match?.effect).toEqualTypeOf<CommandEffect | undefined>();
  expectTypeOf(match?.target).toEqualTypeOf<Target | undefined>();
  expectTypeOf(match?.description).toEqualTypeOf<string | undefined>();
  expectTypeOf(match?.isUnreadable).toEqualTypeOf<boolean | undefined>();
});
