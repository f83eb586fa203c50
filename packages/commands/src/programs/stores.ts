import { CLASSES, UNKNOWN, unknownParts } from "../values.ts";
import type { Call, Programs, Row } from "./row.ts";

const READ: Row = { effects: "read.store", prints: "secret" };
const START: Row = {
  style: "posix",
  values: "env-file account project p config c env path name",
  operands: "program",
};

/** Programs that keep secrets. */
export const STORES: Programs = {
  pass: {
    run: (call) => {
      const isOther =
        /^(?:|ls|list|find|search|(?:otp )?(?:insert|append|add)|edit|generate|rm|remove|delete|mv|rename|cp|git|init|version|help)(?: |$)/;
      if (!isOther.test(call.operands.join(" "))) readStore(call);
    },
  },
  "op bw lpass doppler infisical chamber keyring secret-tool kwallet-query keepassxc-cli credstash gopass": {
    values: "account vault session format output folder project p config c env path a",
    commands: {
      "read get lookup show cat inject export download clip": READ,
      secrets: { ...READ, commands: { "set upload delete": {}, "*": READ } },
      "item document secret": { commands: { "get list": READ } },
      "run exec": START,
    },
  },
  security: {
    commands: {
      "find-generic-password find-internet-password dump-keychain export find-key find-certificate": READ,
    },
  },
  "gpg gpg2": {
    values:
      "o=write output=write r recipient u local-user default-key homedir passphrase passphrase-file keyserver",
    switches: "export export-secret-keys export-secret-subkeys decrypt delete-secret-keys",
    when: {
      "d decrypt": { operands: "read*", reads: "input", prints: "decoded" },
      "export-secret-keys export-secret-subkeys": READ,
    },
  },
  "age rage": {
    values: "i=use identity=use r recipient R o=write output=write",
    operands: "read*",
    switches: "decrypt",
    when: { "d decrypt": { prints: "decoded" } },
  },
  kubeseal: { values: "f=read o w", reads: "input", prints: "nothing" },
  "sops ansible-vault": {
    values: "o=write output=write vault-password-file=read vault-id input-type output-type extract",
    commands: { "decrypt view exec-env": READ, "*": { when: { "d decrypt": READ } } },
  },
  "ssh-keygen": {
    values: "t b f N P C R F l? I n s V",
    run: (call) => {
      const file = call.value("f");
      if (file === undefined || call.has("l F R")) return;
      if (call.has("y")) call.print(call.read(file));
      else call.write(file, UNKNOWN);
    },
  },
  "docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice":
    {
      commands: { get: READ },
    },
  // What they print is for the shell to run.
  "ssh-agent gpg-agent": { style: "posix", values: "a t E P O", operands: "program", prints: "own" },
  "keychain dircolors lesspipe thefuck fzf direnv starship zoxide atuin fnm rbenv pyenv nodenv jenv goenv rustup minikube docker-machine oh-my-posh register-python-argcomplete":
    { prints: "own" },
  ps: {
    run: (call) =>
      call.print(call.words.some((word) => /^[auxwf]*e[auxwf]*$/.test(word)) ? CLASSES.environment : UNKNOWN),
  },
};

/** How tools print tokens and secrets, without their options. */
const READING =
  /^(?:aws (?:secretsmanager (?:get-secret-value|batch-get-secret-value)|ssm get-parameters?(?:-by-path)?|kms decrypt|sts (?:get-session-token|assume-role\S*)|iam create-access-key|configure (?:get \S*(?:secret|token|key)\S*|export-credentials))|gcloud (?:secrets versions access|auth (?:application-default )?print-\S+-token|iam service-accounts keys create|config config-helper)|az (?:keyvault (?:secret|key) (?:show|download)|account get-access-token|acr credential show|storage account keys list|ad sp create-for-rbac)|heroku (?:config|config:get|auth:token)|fly(?:ctl)? auth token|doctl auth token|vercel env pull|vault (?:read|kv get|print token|token (?:create|lookup))|consul kv get \S*(?:secret|token|password)|firebase login:ci|netlify env:(?:get|list)|hcloud context token|oci vault secret get|ibmcloud iam oauth-tokens|pulumi (?:config get|stack output --show-secrets))(?: |$)/;

/** Whether the words are one of those that print a secret. */
export function readsStore(call: Call, leading: readonly string[]): boolean {
  if (!READING.test([call.name, ...leading].join(" "))) return false;
  readStore(call);
  return true;
}

function readStore(call: Call): void {
  call.effect("read.store");
  call.print(CLASSES.secret + unknownParts(call.input));
}
