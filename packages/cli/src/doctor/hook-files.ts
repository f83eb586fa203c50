import type { Client } from "@tenterhook/bridges";
import { findEnforcement } from "@tenterhook/bridges/coverage";
import { FileHooks, findLocations, formatFinding } from "@tenterhook/file-hooks";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { scriptOf } from "../clients/enforcement.ts";
import { formatPath } from "../format-hook.ts";
import { trustState } from "../trust/trust-state.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

/** Reports the hooks of this folder that are not called, or not in these clients, and why. */
export async function checkHookFiles(
  clients: readonly Client[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<StepResult> {
  const source = new FileHooks({ env });
  const { hooks, findings: broken } = await source.catalogue();
  const checker = new TrustChecker(source.trust);
  const untrusted = hooks.flatMap((each): DoctorFinding[] => {
    if (each.inactive !== undefined) return [];
    const state = trustState(each, checker);
    // What is wrong with the file of what is trusted is reported once.
    if (state === "user" || state === "trusted" || state === "unknown") return [];
    const problem =
      state === "changed"
        ? `${each.hook.name} was changed since it was trusted: it does not run, and what it guarded is refused`
        : `${each.hook.name} was never trusted, so it does not run`;
    return [{ problem, fix: `Look at it, then run: tenterhook trust ${each.hook.name}` }];
  });
  const files = broken.map((finding) => ({
    problem: formatFinding({ ...finding, file: formatPath(finding.file) }),
    fix:
      finding.file === source.trust.path
        ? "Restore the file from a backup, or run tenterhook trust in each project: the file is put aside then."
        : "Run tenterhook check for all that is wrong with it.",
  }));
  const notes = clients.flatMap((client) =>
    hooks
      .filter(({ inactive, gone }) => inactive === undefined && gone === undefined)
      .flatMap(({ hook, folder }) => {
        const { how, why } = findEnforcement(client, hook, scriptOf(folder, hook));
        return how === "not at all"
          ? [`${hook.name} is not enforced in ${client.name}: ${why.join("; ")}`]
          : [];
      }),
  );
  const [used, here] = [env, process.env].map((each) => findLocations(process.cwd(), each).userHooks);
  const elsewhere =
    used === here
      ? []
      : [
          `coding agents read your hooks from ${formatPath(used ?? "")}; XDG_CONFIG_HOME here means ${formatPath(here ?? "")}`,
        ];
  const none = hooks.length === 0 ? ["there are no hooks here yet: tenterhook init writes one"] : [];
  return { findings: [...files, ...untrusted], notes: [...none, ...elsewhere, ...notes] };
}
