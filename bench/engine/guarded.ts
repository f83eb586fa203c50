import type { Handler, Hooks } from "@tenterhook/engine";
import type { Subject } from "./bodies.ts";

/** Registers the bodies as a user would: with priorities and tool matchers, everything else by default. */
export function guarded(
  hooks: Hooks,
  bodies: readonly ((subject: Subject) => undefined | Promise<undefined>)[],
): Hooks {
  for (const [index, body] of bodies.entries()) {
    const matcher = ["Shell", "Sh*", "/^Shell$/"][index % 3] as string;
    // The payloads of this benchmark do have a command.
    hooks.on("before_tool", body as unknown as Handler<"before_tool">, {
      name: `rule-${index}`,
      priority: 100 - index,
      matcher,
    });
  }
  return hooks;
}
