import { didYouMean } from "@tenterhook/internal";
import { UsageError } from "./usage-error.ts";

/** The subcommands of a command by name, with the placeholders of their arguments; `more` may follow any number of times. */
export type Subcommands<Run> = Readonly<
  Record<string, { readonly needs: readonly string[]; readonly more?: string; readonly run: Run }>
>;

/** Finds the subcommand of some arguments. Throws a `UsageError` with the correct usage. */
export function chooseSubcommand<Run>(
  command: string,
  subcommands: Subcommands<Run>,
  [name = "list", ...args]: readonly string[],
): { readonly run: Run; readonly args: readonly string[] } {
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  const known = Object.keys(subcommands);
  if (subcommand === undefined) {
    throw new UsageError(
      `unknown subcommand "${name}".`,
      didYouMean(name, known, `Known: ${known.join(", ")}.`),
    );
  }
  const { run, needs, more } = subcommand;
  if (args.length === needs.length || (more !== undefined && args.length > needs.length))
    return { run, args };
  const usage = ["tenterhook", command, name, ...needs, ...(more === undefined ? [] : [`[${more}]`])].join(
    " ",
  );
  throw new UsageError(
    args.length < needs.length ? "missing argument." : `unexpected argument "${args[needs.length]}".`,
    `Usage: ${usage}`,
  );
}
