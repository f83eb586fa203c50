import { type Client, readUnmappedTools } from "@tenterhook/bridges";
import { findEnforcement } from "@tenterhook/bridges/coverage";
import { FileHooks, findLocations, formatFinding } from "@tenterhook/file-hooks";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import type { HookFile } from "@tenterhook/protocol";
import { CANONICAL_TOOLS, canonicalTools, listMatchers } from "@tenterhook/protocol/internal";
import { scriptOf } from "../clients/enforcement.ts";
import { formatPath } from "../format-hook.ts";
import { explainUntrusted, trustState } from "../hook-state.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

/** Reports the hooks of this folder that are not called, or not in these clients, and why. */
export async function checkHookFiles(
  clients: readonly Client[],
  env: Readonly<Record<string, string | undefined>>,
  state: string,
): Promise<StepResult> {
  const source = new FileHooks({ env });
  const { hooks, findings: broken } = await source.catalogue();
  const checker = new TrustChecker(source.trust);
  const untrusted = hooks.flatMap((each): DoctorFinding[] => {
    if (each.inactive !== undefined) return [];
    const { name } = each.hook;
    const trust = trustState(each, checker);
    const untrusted = explainUntrusted(name, trust);
    // What is wrong with the file of what is trusted is reported once.
    if (untrusted === undefined || trust === "unknown") return [];
    return [{ problem: `${name} ${untrusted.why}`, fix: untrusted.advice }];
  });
  const files = broken.map((finding) => ({
    problem: formatFinding({ ...finding, file: formatPath(finding.file) }),
    fix:
      finding.file === source.trust.path
        ? `Restore the file from a backup, or run ${typedCommand()} trust in each project: the file is put aside then.`
        : `Run ${typedCommand()} check for all that is wrong with it.`,
  }));
  const never: DoctorFinding[] = [];
  const notes: string[] = [];
  for (const { hook, folder, inactive, gone } of hooks) {
    if (inactive !== undefined || gone !== undefined) continue;
    const script = scriptOf(folder, hook);
    const without = clients.flatMap((client) => {
      const { how, why } = findEnforcement(client, hook, script);
      return how === "not at all" ? [{ client, why }] : [];
    });
    const unknown = findUnknownTool(hook, clients, state);
    const isNever = without.length === clients.length || unknown !== undefined;
    if (clients.length > 0 && hook.enforce !== false && isNever) {
      const reasons = new Set(unknown === undefined ? without.flatMap(({ why }) => why) : [unknown]);
      never.push({
        problem: `${hook.name} can never fire in a coding agent with entries: ${[...reasons].join("; ")}`,
        fix: `Change its trigger or matcher.tool, or run: ${typedCommand()} disable ${hook.name}`,
      });
    } else {
      for (const { client, why } of without)
        notes.push(`${hook.name} is not enforced in ${client.name}: ${why.join("; ")}`);
    }
  }
  const [used, here] = [env, process.env].map((each) => findLocations(process.cwd(), each).userHooks);
  const elsewhere =
    used === here
      ? []
      : [
          `coding agents read your hooks from ${formatPath(used ?? "")}; XDG_CONFIG_HOME here means ${formatPath(here ?? "")}`,
        ];
  const none = hooks.length === 0 ? [`there are no hooks here yet: ${typedCommand()} init writes one`] : [];
  return { findings: [...files, ...untrusted, ...never], notes: [...none, ...elsewhere, ...notes] };
}

/**
 * Why the tool of a matcher does not exist, as far as known. Patterns, tools of MCP servers and tools that an agent has called already
 * may exist.
 */
function findUnknownTool(hook: HookFile, clients: readonly Client[], state: string): string | undefined {
  const problems = (listMatchers(hook) ?? []).map(({ tool }) => unknownTool(tool, clients, state));
  return problems.includes(undefined) ? undefined : problems[0];
}

function unknownTool(
  tool: string | undefined,
  clients: readonly Client[],
  state: string,
): string | undefined {
  if (typeof tool !== "string" || !/^\w+$/.test(tool) || tool.includes("__")) return undefined;
  // A part of a canonical name matches too.
  if (CANONICAL_TOOLS.some((name) => name.includes(tool)) || canonicalTools(tool).length > 0)
    return undefined;
  if (clients.some((client) => readUnmappedTools(state, client).some(({ name }) => name === tool)))
    return undefined;
  return `none is known to have a tool ${tool}, and none has called one`;
}

/** Lists the tools that coding agents have called and that have no canonical name, as information. */
export function listUnmappedTools(clients: readonly Client[], state: string): StepResult {
  const notes = clients.flatMap((client) => {
    const tools = readUnmappedTools(state, client);
    const commands = tools.filter(({ isShell }) => isShell).map(({ name }) => name);
    const others = tools.filter(({ isShell }) => !isShell).map(({ name }) => name);
    return [
      ...(commands.length > 0
        ? [`${client.name} gives commands to ${commands.join(", ")}: matchers find them as Shell too`]
        : []),
      ...(others.length > 0
        ? [`${client.name} has called ${others.join(", ")}: only a matcher of that name finds them`]
        : []),
    ];
  });
  return { findings: [], notes };
}
