import { CommandLine } from "./command-line.tsx";

/** The command that starts a runner for this coordinator, to be copied. */
export function StartRunner({ tags = [] }: { readonly tags?: readonly string[] }) {
  const wanted = tags.length === 0 ? "" : ` --tags ${tags.join(",")}`;
  return <CommandLine command={`tenterhook runners start --url ${location.origin} --token …${wanted}`} />;
}
