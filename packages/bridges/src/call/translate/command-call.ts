import { UnreadableCall } from "../read/native-call.ts";
import type { Input, NativeCall } from "./canonical-call.ts";
import { changedNative, isSame } from "./changed-native.ts";
import { findCommands } from "./command-arguments.ts";

/** Where the value of a native argument `command` is kept while the canonical one has all commands of the call as text. */
const KEPT = "native_command";

/**
 * A call of a tool without a canonical name. One that is given a command is also found by matchers of Shell, and has the command in the
 * canonical argument `command`; its own arguments stay, for hooks that are written for the tool itself.
 */
export function unmappedCall(name: string, input: Input): NativeCall {
  const found = findCommands(input);
  if (found === undefined)
    return {
      isUnmapped: true,
      calls: [{ name, input }],
      putBack: ([changed]) => changed && changedNative(input, input, changed, {}),
    };
  const { text, argument } = found;
  const canonical = text === undefined || argument === "command" ? input : withCommand(input, text);
  return {
    isUnmapped: true,
    calls: [{ name, input: canonical, ...(name !== "Shell" && { aliases: ["Shell"] }) }],
    ...(canonical !== input && { copies: ["command"] }),
    putBack: ([changed]) => changed && withoutCommand(input, canonical, changed, argument),
  };
}

function withCommand(input: Input, text: string): Input {
  if (!Object.hasOwn(input, "command")) return { ...input, command: text };
  if (Object.hasOwn(input, KEPT)) throw new UnreadableCall(`the call has two values for ${KEPT}`);
  return { ...input, command: text, [KEPT]: input.command };
}

/** The native input after a change; `undefined` when the change is not one of exactly one native argument that has the command. */
function withoutCommand(
  input: Input,
  canonical: Input,
  changed: Input,
  argument: string | undefined,
): Input | undefined {
  if (canonical === input) return changedNative(input, input, changed, {});
  const { command = canonical.command, [KEPT]: kept, ...rest } = changed;
  if (Object.hasOwn(canonical, KEPT)) {
    if (command !== canonical.command || (kept !== undefined && !isSame(kept, canonical[KEPT])))
      return undefined;
    return changedNative(input, input, { ...rest, command: input.command }, {});
  }
  const others = kept === undefined ? rest : { ...rest, [KEPT]: kept };
  if (command === canonical.command) return changedNative(input, input, others, {});
  if (argument === undefined || typeof command !== "string") return undefined;
  const own = Object.hasOwn(others, argument) ? others[argument] : command;
  if (own !== command && own !== input[argument]) return undefined;
  return changedNative(input, input, { ...others, [argument]: command }, {});
}
