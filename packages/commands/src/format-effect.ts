import { shortened } from "@tenterhook/internal";
import type { CommandEffect, EffectName, Target } from "./effects.ts";

/** What a call does, for people. `%` is the target. */
const WORDS: Readonly<Record<EffectName, string>> = {
  read: "reads %",
  "read.store": "prints the secret % of a credential store",
  write: "writes %",
  "write.secret": "writes a secret to %",
  delete: "deletes %",
  "delete.recursive": "deletes % recursively",
  move: "moves %",
  permissions: "changes the permissions of %",
  "permissions.recursive": "changes the permissions of % recursively",
  device: "writes to the device %",
  "device.volume": "changes the volume %",
  "execute.file": "runs %",
  "execute.remote": "runs code from the network",
  "execute.connection": "runs what a connection sends",
  "execute.decoded": "runs decoded code",
  "execute.unknown": "runs code that is not known",
  send: "sends data to %",
  "send.secret": "sends a secret to %",
  "send.environment": "sends the environment to %",
  "send.folder": "sends a folder to %",
  "discard.worktree": "discards uncommitted changes in %",
  "discard.untracked": "deletes untracked files in %",
  "discard.ignored": "deletes ignored files in %",
  "discard.linked": "removes the linked worktree %",
  "discard.stash": "drops a stash",
  "discard.stash.all": "drops all stashes",
  "discard.branch": "removes or resets the branch %",
  "rewrite_history.all": "rewrites the whole history",
  "rewrite_history.recovery": "removes what git could restore",
  "rewrite_history.amend": "replaces the last commit",
  "rewrite_history.rebase": "replaces commits",
  publish: "pushes to %",
  "publish.force": "force-pushes to %",
  "publish.lease": "force-pushes with a lease to %",
  "publish.lease.refspec": "force-pushes one reference with a lease to %",
  "publish.delete": "deletes the remote reference %",
  "publish.package": "publishes the package %",
  destroy_remote: "destroys the remote resource %",
  power: "stops or restarts the machine",
  process: "ends the process %",
  "process.all": "ends all processes",
  firewall: "changes the firewall",
  "firewall.flush": "removes all rules of the firewall",
  user: "changes the user %",
  "user.password": "changes the password of %",
  service: "changes the service %",
  schedule: "changes scheduled jobs",
  install: "adds or removes the package %",
  exhaust: "starts processes without end",
  bypass: "skips checks",
  unreadable: "cannot be read",
};

const MAX_COMMAND = 200;
const MAX_TARGET = 200;

/** An effect in words: `deletes / recursively (sudo rm -fr /)`. Without a target, its first one is named. */
export function formatEffect(effect: CommandEffect, target: Target | undefined = effect.targets[0]): string {
  const words = WORDS[effect.name].replace("%", () => formatTarget(target));
  const why = effect.reason === undefined ? "" : `: ${escaped(effect.reason)}`;
  const where =
    effect.where === "here" ? "" : effect.where === "remote" ? " on another host" : " in a container";
  const command = effect.command === "" ? "" : ` (${escaped(shortened(effect.command, MAX_COMMAND))})`;
  return words + why + where + command;
}

function formatTarget(target: Target | undefined): string {
  if (target === undefined) return "something";
  if (target.type !== "path")
    return target.known === "known"
      ? escaped(shortened(target.name, MAX_TARGET))
      : `a ${target.type} that is not known`;
  const path = escaped(shortened(target.path, MAX_TARGET));
  if (target.known !== "unknown") return path;
  return path === "**"
    ? "a path that is not known"
    : `an unknown path that ends with ${path.replace(/^\*\*/, "")}`;
}

/** Control characters, and those that turn the direction of text, could make a person read something else. */
function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
