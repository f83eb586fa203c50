import { EXIT, type ExitCode } from "../command.ts";
import { chooseSubcommand, type Subcommands } from "../read-arguments.ts";
import { type AccessValues, findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";

/** The subcommands of a command that talks to a coordinator; each gets its first argument, and those that may follow it. */
export type ClientSubcommands<V> = Subcommands<
  (
    client: CoordinatorClient,
    values: V,
    argument: string,
    more: readonly string[],
  ) => Promise<void> | Promise<ExitCode>
>;

/** Runs the subcommand that the arguments name, as a client of the coordinator that the options name. */
export async function runSubcommand<V extends AccessValues>(
  command: string,
  subcommands: ClientSubcommands<V>,
  values: V,
  args: readonly string[],
): Promise<ExitCode> {
  const { run, args: given } = chooseSubcommand(command, subcommands, args);
  const [first = "", ...more] = given;
  const code = await run(new CoordinatorClient(findAccess(values)), values, first, more);
  return code ?? EXIT.ok;
}
