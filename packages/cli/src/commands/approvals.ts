import { type Approval, type ApprovalDecisionBody, describeBar } from "@tenterhook/protocol/runs";
import { ago } from "../ago.ts";
import { defineCommand, option, type Values } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import {
  type ClientSubcommands,
  type CoordinatorClient,
  listAll,
  runSubcommand,
} from "../fleet/coordinator-client.ts";
import { jsonObject } from "../json-argument.ts";
import { bold, type Cell, dim, print, printable, printJson, titledTable } from "../terminal.ts";
import { refuseAgents } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  ...ACCESS_OPTIONS,
  all: option.flag("list: include decided approvals"),
  run: option.text("ID", "list: only approvals of this run"),
  edit: option.text("JSON", "approve: replace the value with this"),
  reason: option.text("R", "reject: the reason"),
} as const;

export const approvals = defineCommand({
  usage: "approvals [list | show ID | approve ID [--edit JSON] | reject ID [--reason R]]",
  about:
    "Lists and decides approvals of a coordinator. Deciding requires a token with the scope reviewer or admin.\n" +
    "An approval with not_by: requester is for another person than the one who started the run.",
  options,
  arguments: { min: 0, max: 2 },
  examples: [
    { command: "tenterhook approvals", means: "list pending approvals" },
    { command: "tenterhook approvals approve apr_…", means: "approve one" },
    { command: `tenterhook approvals reject apr_… --reason "not on a Friday"`, means: "reject one" },
  ],
  run: (values, args) => runSubcommand("approvals", SUBCOMMANDS, values, args),
});

const SUBCOMMANDS: ClientSubcommands<Values<typeof options>> = {
  list: { needs: [], run: list },
  show: { needs: ["ID"], run: show },
  approve: { needs: ["ID"], run: approve },
  reject: { needs: ["ID"], run: reject },
};

/** At most this many approvals are listed. */
const LIMIT = 200;

async function list(client: CoordinatorClient, { all, run, json }: Values<typeof options>): Promise<void> {
  const filters = { state: all ? undefined : "pending", run };
  const found = await listAll(
    LIMIT,
    (paging) => client.approvals.list({ ...filters, ...paging }),
    (page) => page.approvals,
  );
  if (found.length === 0 && run !== undefined) await client.runs.read(run);
  if (json) return printJson({ approvals: found });
  if (found.length === 0) return print(dim("No pending approvals."));
  const titles = ["approval", "agent", "asked by", "state", "age", "reason"];
  const rows = found.map((each): Cell[] => [
    each.approval_id,
    each.agent_name ?? "",
    each.asked_by,
    stateCell(each),
    ago(each.created_at),
    each.reason,
  ]);
  print(titledTable(titles, rows));
}

/** The state; of a pending one that has to be decided by another person also that. */
function stateCell({ state, decided_by, barred, not_by }: Approval): string {
  if (decided_by !== null) return `${state} by ${decided_by}`;
  if (state !== "pending" || not_by === null) return state;
  return barred === null ? `${state}, not by ${not_by}` : `${state}, not by you`;
}

async function show(client: CoordinatorClient, { json }: Values<typeof options>, id: string): Promise<void> {
  const approval = await client.approvals.read(id);
  if (json) return printJson(approval);
  const { state, asked_by, reason, run_id, expires_at, editable, subject, decided_by, decided_at } = approval;
  const { not_by, requested_by, barred } = approval;
  print(`${bold(id)} ${state}`);
  print(`${printable(asked_by)} asks: ${printable(reason)}`);
  print(decided_at === null ? `Run ${run_id}, expires ${expires_at}.` : `Run ${run_id}.`);
  if (decided_at !== null)
    print(`Decided${decided_by === null ? "" : ` by ${printable(decided_by)}`} at ${decided_at}.`);
  if (not_by !== null) print(`Not by the requester: ${requested_by.map(printable).join(", ") || "unknown"}.`);
  if (barred !== null && decided_at === null) {
    const { detail, hint } = describeBar(barred);
    print(`You cannot decide it: ${detail}. ${hint}`);
  }
  if (editable !== null && barred === null && decided_at === null) print(`--edit replaces ${editable}.`);
  printJson(subject);
}

async function approve(client: CoordinatorClient, values: Values<typeof options>, id: string): Promise<void> {
  const { edit, reason } = values;
  if (reason !== undefined) throw new UsageError("--reason is only for reject.");
  const decision: ApprovalDecisionBody =
    edit === undefined
      ? { decision: "approve" }
      : { decision: "edit", value: await jsonObject(edit, "--edit") };
  await decide(client, values, id, decision);
}

async function reject(client: CoordinatorClient, values: Values<typeof options>, id: string): Promise<void> {
  const { edit, reason } = values;
  if (edit !== undefined) throw new UsageError("--edit is only for approve.");
  await decide(client, values, id, { decision: "reject", ...(reason !== undefined && { reason }) });
}

async function decide(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  id: string,
  decision: ApprovalDecisionBody,
): Promise<void> {
  await refuseAgents("approvals");
  const approval = await client.approvals.decide(id, decision);
  if (json) printJson(approval);
  else print(`${approval.approval_id} ${approval.state}`);
}
