/**
 * Node warns on standard error when it takes the module type of a script from its syntax and there is a package.json that states none, as
 * above private copies. The warning is about that file and not a part of the hook's reason.
 */
const WARNING =
  /^\(node:\d+\) \[MODULE_TYPELESS_PACKAGE_JSON\] Warning: .*\n(?:Reparsing as ES module .*\n|To eliminate this warning, .*\n|\(Use `.*` to show where the warning was created\)\n)*/gm;

/** What a script printed on standard error, without that warning. */
export function withoutModuleWarning(stderr: string): string {
  return stderr.includes("[MODULE_TYPELESS_PACKAGE_JSON]") ? stderr.replaceAll(WARNING, "") : stderr;
}
