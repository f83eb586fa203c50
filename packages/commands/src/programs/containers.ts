import { CLASSES, isKnown, UNKNOWN } from "../values.ts";
import { readTree } from "./archives.ts";
import type { Call, Programs, Row } from "./row.ts";
import { landingOf } from "./transfers.ts";

export const DESTROY: Row = { effects: "destroy_remote", operands: "name*" };
const COMPOSE: Row = {
  values: "f file p project-name profile env-file project-directory t timeout",
  harmless: "dry-run",
  commands: {
    down: { switches: "volumes", when: { "v volumes": DESTROY } },
    rm: { when: { v: DESTROY } },
    push: { effects: "publish.package" },
  },
};

/** Containers and clusters. What is started in them is read by the table of wrappers. */
export const CONTAINERS: Programs = {
  "docker podman nerdctl": {
    values: "H host l log-level c context config filter",
    commands: {
      compose: COMPOSE,
      system: { commands: { "prune reset": DESTROY } },
      volume: { commands: { "rm remove prune": DESTROY } },
      container: { commands: { prune: DESTROY, "rm remove": { run: removeMany } } },
      image: {
        commands: {
          prune: { switches: "all", when: { "a all": DESTROY } },
          push: { effects: "publish.package" },
        },
      },
      "rm rmi": { run: removeMany },
      "stack service secret node": { commands: { "rm remove": DESTROY } },
      swarm: { commands: { leave: { when: { "f force": DESTROY } } } },
      push: { effects: "publish.package", operands: "name" },
      cp: { run: copyLocal },
      "save export": { values: "o=write output=write", prints: "unknown" },
    },
  },
  "docker-compose podman-compose": COMPOSE,
  "kubectl oc": {
    values:
      "n namespace o output l selector f filename k kustomize c container context kubeconfig cluster user field-selector grace-period " +
      "timeout request-timeout s server as as-group token v replicas template sort-by cascade",
    harmless: "dry-run",
    commands: {
      "delete drain": DESTROY,
      scale: {
        run: (call) => {
          if (call.value("replicas") === "0") call.effectOn("destroy_remote", ...call.operands);
        },
      },
      replace: { switches: "force", when: { force: DESTROY } },
      apply: { switches: "prune", when: { prune: DESTROY } },
      get: {
        run: (call) => {
          const isContent = /^(?:yaml|json|jsonpath|go-template|custom-columns)/.test(
            call.value("o output") ?? "",
          );
          const isSecret = /^(?:.*,)?secrets?(?:[/.,]|$)/.test(call.operands[0] ?? "") && isContent;
          if (isSecret) call.effect("read.store");
          call.print(isSecret ? CLASSES.secret : UNKNOWN);
        },
      },
      config: { commands: { view: { when: { raw: { effects: "read.store", prints: "secret" } } } } },
      create: { commands: { token: { effects: "read.store", prints: "secret" } } },
      cp: { run: copyLocal },
    },
  },
  "helm helmfile": {
    values: "n namespace kube-context kubeconfig version f values set timeout l selector e environment",
    harmless: "dry-run",
    commands: {
      "uninstall delete del un destroy": DESTROY,
      push: { effects: "publish.package", operands: "name" },
      plugin: { commands: { install: { effects: "install", operands: "name" } } },
    },
  },
};

/** Those that are not named one by one: `docker rm -f $(docker ps -aq)`. */
function removeMany(call: Call): void {
  if (call.operands.some((name) => !isKnown(name))) call.effectOn("destroy_remote", ...call.operands);
}

/** `cp container:path path`, or the other way. */
function copyLocal(call: Call): void {
  const [from = "", to = ""] = call.operands;
  if (!from.includes(":")) readTree(call, from);
  if (!to.includes(":") && to !== "-") call.write(landingOf(from, to), UNKNOWN);
}
