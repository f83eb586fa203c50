import { CLASSES, UNKNOWN } from "../values.ts";
import { readTree } from "./archives.ts";
import { DESTROY } from "./containers.ts";
import type { Call, Programs } from "./row.ts";
import { readsStore } from "./stores.ts";

/** What most tools of clouds, storage, messaging, backups and CI have in common. */
export const CLOUDS: Programs = {
  ["aws gcloud az gsutil bq oci ibmcloud doctl linode-cli hcloud scw exo civo vultr-cli openstack aliyun tccli fly flyctl heroku vercel " +
    "netlify railway render wrangler firebase supabase neonctl pscale turso atlas cf eksctl kops rosa pulumi cdk cdktf sam serverless sls " +
    "terragrunt vault consul nomad etcdctl boundary s3cmd s5cmd mc b2 azcopy kafka-topics kafka-topics.sh kafka-consumer-groups " +
    "kafka-consumer-groups.sh rabbitmqctl rabbitmqadmin nats pulsar-admin stripe fastly flarectl cloudflared circleci jenkins-cli buildkite " +
    "travis drone velero kopia duplicity wal-g pgbackrest barman snapper timeshift tmutil virsh VBoxManage govc multipass lxc incus qm pct " +
    "argocd flux istioctl ceph rados ldcli datadog-ci sentry-cli"]: {
    values:
      "profile region output endpoint-url query project account configuration format subscription context token config access-token app " +
      "a org api-key address host port p n namespace C chdir bootstrap-server topic group vhost endpoints stack cwd t",
    harmless: "dry-run dryrun what-if noop",
    run: destroyByVerb,
  },
  "restic borg borgmatic": {
    values:
      "r repo repo-file p password-file o option keep-last keep-daily keep-weekly keep-monthly tag host path",
    harmless: "n dry-run",
    run: destroyByVerb,
  },
  "terraform tofu": {
    style: "dash",
    values: "chdir target var var-file state backup lock-timeout parallelism",
    commands: {
      destroy: DESTROY,
      apply: { switches: "destroy", when: { destroy: DESTROY } },
      state: { commands: { rm: DESTROY } },
      workspace: { commands: { delete: DESTROY } },
    },
  },
  "gh glab": {
    values:
      "R repo hostname h? X method f F field raw-field H header input q jq t template b body title json L limit",
    commands: {
      "repo release codespace gist environment secret variable project issue": {
        commands: {
          "delete delete-asset archive": DESTROY,
          create: { values: "d desc n notes F notes-file", run: sendGist },
        },
      },
      api: {
        run: (call) => {
          if (/^DELETE$/i.test(call.value("X method") ?? ""))
            call.effectOn("destroy_remote", ...call.operands);
          const fields = call.values("F field input").filter((value) => /^(?:[^=]*=@|[^=]+$)/.test(value));
          for (const field of fields) call.send(call.read(field.replace(/^[^=]*=@/, "")));
          call.print(CLASSES.remote);
        },
      },
      auth: {
        commands: {
          token: { effects: "read.store", prints: "secret" },
          status: {
            switches: "show-token",
            when: { "t show-token": { effects: "read.store", prints: "secret" } },
          },
        },
      },
      "extension ext": { commands: { install: { effects: "install", operands: "name" } } },
    },
  },
};

const DESTROYING = new Set(
  (
    "delete deletion destroy remove rm rb purge drop terminate deprovision decommission erase wipe truncate flush nuke undeploy uninstall " +
    "teardown del clear prune reset evict revoke deregister forget expunge empty undefine unregistervm expire"
  ).split(" "),
);
/** What follows one of these is a name. */
const HARMLESS =
  /^(?:list|ls|get|describe|show|create|new|put|update|set|plan|preview|status|info|help|publish|pub|view|read|invoke|up)(?:$|-)/;
const SWITCH = /^--(?:yes|quiet|force|auto-approve|verbose|debug|no-.*|all|recursive|interactive|.*=.*)$/;

/** One of the first words that are no values says that something is removed. */
function destroyByVerb(call: Call): void {
  const { words, operands } = call;
  const isOperand = new Set(operands);
  const leading = words.filter((word, index) => {
    const before = words[index - 1] ?? "";
    return isOperand.has(word) && (!/^--[a-z]/.test(before) || SWITCH.test(before));
  });
  if (readsStore(call, leading)) return;
  call.print(UNKNOWN);
  const end = leading.findIndex((word) => HARMLESS.test(word));
  const verbs = leading.slice(0, end < 0 ? 5 : end);
  const isDestroying = (word: string) =>
    (!/[/@]/.test(word) && word.split(/[-_:.]/).some((part) => DESTROYING.has(part))) ||
    (word === "disable" && call.name === "vault");
  // What the tool itself has on this machine.
  if (verbs.some((word) => /^(?:auth|plugins?|extpack|bicep|components?|config)$/.test(word))) return;
  const isByOption = end < 0 && words.some((word) => /^--?(?:delete|destroy|purge|delete-all)$/.test(word));
  const verb = verbs.findIndex(isDestroying);
  if (verb >= 0 || isByOption) call.effectOn("destroy_remote", ...leading.slice(verb + 1));
  // `aws s3 cp FILE s3://…`, `gsutil cp FILE gs://…`.
  const [from, to] = leading.slice(-2);
  if (
    leading.some((word) => /^(?:cp|copy|mv|sync|upload|put)$/.test(word)) &&
    /^\w+:\/\//.test(to ?? "") &&
    from !== undefined
  )
    if (!/^\w+:\/\//.test(from)) {
      const isWhole = leading.includes("sync") || call.has("r R recursive");
      call.send(isWhole ? readTree(call, from) : call.read(from), to);
    }
}

function sendGist(call: Call): void {
  if (call.name.includes("gist"))
    call.send(
      call.operands.map((path) => call.read(path)).join("") + (call.operands.length === 0 ? call.input : ""),
    );
}
