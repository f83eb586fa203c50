import { type CataloguedHook, FileHooks, formatFinding } from "@tenterhook/file-hooks";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { strayFolders } from "../check/file-findings.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { NO_HOOKS } from "../find-hooks.ts";
import { formatMatcher } from "../format-hook.ts";
import { goneSentence, type TrustState, trustState } from "../hook-state.ts";
import {
  type Cell,
  count,
  dim,
  green,
  notify,
  print,
  printJson,
  red,
  titledTable,
  yellow,
} from "../terminal.ts";

/** A hook and whether it may run. */
interface Listed {
  readonly each: CataloguedHook;
  readonly trust: TrustState;
  /** Its position among active hooks. */
  readonly order: number | undefined;
}

/** Further findings are left to `check`. */
const MAX_FINDINGS = 5;

export const list = defineCommand({
  usage: "list [--all]",
  about:
    "Lists the hooks of this folder in the order they run: by priority, then user before project, then name.",
  options: { all: option.flag("include inactive hooks, with the reason") },
  examples: [
    { command: "tenterhook list", means: "active hooks" },
    { command: "tenterhook list --all", means: "also shadowed and disabled hooks" },
  ],
  async run({ all, json }) {
    const fileHooks = new FileHooks();
    const { hooks, findings: ofHooks } = await fileHooks.catalogue();
    const { userHooks, projectHooks = userHooks } = fileHooks.locations;
    const strays = [...new Set([userHooks, projectHooks])].flatMap(strayFolders);
    const findings = [...strays, ...ofHooks];
    const listed = inOrder(hooks, new TrustChecker(fileHooks.trust));
    if (json) {
      printJson({ hooks: listed.map(asData), findings });
      return EXIT.ok;
    }
    const shown = all ? listed : listed.filter(({ order }) => order !== undefined);
    if (shown.length > 0) print(asTable(shown, all));
    else print(NO_HOOKS);
    for (const { hook, gone } of hooks) if (gone !== undefined) notify(goneSentence(hook, gone));
    const hidden = listed.length - shown.length;
    if (hidden > 0)
      notify(`${count(hidden, "hook")} left out because inactive; ${typedCommand()} list --all shows why`);
    for (const finding of findings.slice(0, MAX_FINDINGS)) notify(formatFinding(finding));
    if (findings.length > MAX_FINDINGS)
      notify(`${count(findings.length - MAX_FINDINGS, "more finding")}; run: ${typedCommand()} check`);
    return EXIT.ok;
  },
});

function inOrder(hooks: readonly CataloguedHook[], checker: TrustChecker): readonly Listed[] {
  let order = 0;
  return hooks.map((each) => ({
    each,
    trust: trustState(each, checker),
    order: each.inactive === undefined ? ++order : undefined,
  }));
}

function asTable(listed: readonly Listed[], withReasons: boolean): string {
  const withEnforcement = listed.some(({ each }) => each.hook.enforce === false);
  const titles = [
    "#",
    "name",
    "event",
    "scope",
    "priority",
    "matcher",
    "trust",
    ...(withEnforcement ? ["enforced"] : []),
    ...(withReasons ? ["inactive"] : []),
  ];
  const rows = listed.map(({ each: { hook, scope, inactive, gone }, trust, order }): Cell[] => [
    order === undefined ? "-" : String(order),
    hook.name,
    hook.events.join(", "),
    scope,
    String(hook.priority),
    formatMatcher(hook),
    gone === undefined
      ? { text: trust, style: TRUST_STYLES[trust] }
      : { text: gone.command === undefined ? "broken" : "gone", style: red },
    ...(withEnforcement ? [hook.enforce === false ? { text: "no", style: yellow } : "yes"] : []),
    ...(withReasons ? [{ text: inactive ?? "", style: yellow }] : []),
  ]);
  return titledTable(titles, rows);
}

const TRUST_STYLES = { user: dim, trusted: green, untrusted: yellow, changed: red, unknown: red };

function asData({ each, trust, order }: Listed): Record<string, unknown> {
  const { hook, scope, folder, file, inactive, gone } = each;
  return {
    order: order ?? null,
    name: hook.name,
    description: hook.description,
    events: hook.events,
    scope,
    priority: hook.priority,
    matcher: hook.matcher ?? null,
    mode: hook.mode,
    timeout_ms: hook.timeoutMs,
    on_error: hook.onError,
    always: hook.always,
    rejudge: hook.rejudge,
    enforce: hook.enforce ?? true,
    action: hook.action ?? null,
    metadata: hook.metadata,
    trust,
    inactive: inactive ?? null,
    gone: gone ?? null,
    folder,
    file,
  };
}
