import { shellWord } from "@tenterhook/internal";
import { COMPLETE } from "../call/encode/encode.ts";
import { CANNOT_RUN, type FallbackAnswer, NOT_CHECKED } from "./fallback-answers.ts";
import type { Pins } from "./installation.ts";
import { setAsideLines } from "./set-aside.ts";

export interface HookScript {
  readonly pins: Pins;
  readonly answers: readonly FallbackAnswer[];
  /** The file with the guards that must block, see `file-hooks/src/discover/known-guards.ts`. */
  readonly guards: string;
  /** Whether the shell takes `-p`: then it imports neither functions nor options from the environment. */
  readonly hasPrivilegedMode: boolean;
}

/** The options that name the bridge's folders, whatever the client's environment is. */
export function homeOptions(pins: HookScript["pins"], quote: (value: string) => string): string[] {
  return [
    `--home ${quote(pins.home)}`,
    `--config-home ${quote(pins.configHome)}`,
    `--state-home ${quote(pins.stateHome)}`,
    `--cache-home ${quote(pins.cacheHome)}`,
  ];
}

/**
 * The script that clients start. Node runs as its child and not in its place: a client takes most ends of a process for "no objection",
 * so the script answers unless the bridge proves by its exit code that its answer is complete. It does so when it exits, and starts no
 * process then: a shell that cannot start one, or cannot open a file, gives up at once, and an exit trap is all that still runs.
 *
 * The bridge runs below a background job, because a shell handles SIGINT only after a foreground one has ended. It ends itself when one
 * of the two shells above it is gone (`--wrapper`), which also covers SIGKILL.
 */
export function hookScript({ pins, answers, guards, hasPrivilegedMode }: HookScript): string {
  const language = Object.entries(pins.language).map(([name, value]) =>
    value === undefined ? `unset ${name}` : `${name}=${shellWord(value)}; export ${name}`,
  );
  const options = homeOptions(pins, shellWord);
  return `#!/bin/sh${hasPrivilegedMode ? " -p" : ""}
# Written by tenterhook install: coding agents start this as their hook. To remove it: npx tenterhook uninstall
node=${shellWord(pins.node)}
bridge=${shellWord(pins.bridge)}
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME
${language.join("\n")}
PATH=${shellWord(pins.path.join(":"))}\${PATH:+:"$PATH"}
export PATH
why= job= client=$2 event=$4 drain=yes
# The guards that were known last decide, unless the bridge has answered. This starts no process, which may be what is not possible.
fall_back() {
  trap - EXIT
  printf 'tenterhook: %s; run: npx tenterhook install\\n' "\${why:-the shell that runs it gave up}" >&2
  events= code=0 also= answer= notice= passed=0
  case "$client $event" in
${arms(answers)}
  esac
  guards=${shellWord(guards)}
  if [ -n "$events" ]; then
    [ -f "$guards" ] && [ -r "$guards" ] || refuse "the list of guards is gone too"
    { cd -P .; } 2>/dev/null
    here=\${PWD-}/
    listed=
    while IFS='	' read -r event project name; do
      listed=$event
      case " $events " in *" $event "*) ;; *) continue ;; esac
      case "$project" in
      '*') ;;
      *)
        case "$here" in
        "\${project%/}"/*) ;;
        *) case "$also/" in "\${project%/}"/*) ;; *) continue ;; esac ;;
        esac
        ;;
      esac
      refuse "$name"
    done <"$guards"
    case "$listed" in '#'*) ;; *) refuse "the list of guards is not complete" ;; esac
  fi
  [ -z "$notice" ] || printf '%s\\n' "$notice"
  printf '%s\\n' ${shellWord(`tenterhook: ${NOT_CHECKED}`)} >&2
  leave "$passed"
}
refuse() {
  # A refusal that nobody can read must not look like an answer that allows.
  [ -z "$answer" ] || printf '%s\\n' "$answer" || code=2
  printf '%s (%s)\\n' ${shellWord(CANNOT_RUN)} "$1" >&2
  leave "$code"
}
leave() {
  [ -z "$drain" ] || while read -r line; do :; done 2>/dev/null <&3
  exit "$1"
}
trap fall_back EXIT
# A background job has no standard input of its own.
{ command exec 3<&0; } 2>/dev/null || { command exec 3</dev/null; } 2>/dev/null
${setAsideLines()}
start_bridge() {
  exec "$node" "$bridge" "$@" ${options.join(" ")} --wrapper $$
}
trap 'why="the agent ended it before its hooks had answered"; [ -z "$job" ] || kill "$job"' TERM INT HUP
if [ -n "$why" ]; then
  :
elif [ ! -f "$node" ] || [ ! -x "$node" ]; then
  why="node is gone from $node"
elif [ ! -f "$bridge" ] || [ ! -r "$bridge" ]; then
  why="its own files are gone from $bridge"
else
  (
    answer=$(start_bridge "$@" <&3 3<&-)
    ended=$?
    case $ended in
    ${COMPLETE.passed} | ${COMPLETE.refused}) [ -z "$answer" ] || printf '%s\\n' "$answer" || ended=1 ;;
    esac
    exit $ended
  ) &
  job=$!
  wait "$job"
  ended=$?
  case $ended in
  ${COMPLETE.passed}) trap - EXIT; exit 0 ;;
  ${COMPLETE.refused}) trap - EXIT; exit 2 ;;
  esac
  [ -n "$why" ] || why="it ended with status $ended before it had answered"
fi
# A client that cannot write all of its call takes that for a failed hook, and continues.
cat <&3 >/dev/null 2>&1 &
drain=
exit
`;
}

/** Sets the answers of each client and event; what is empty is set already. */
function arms(answers: readonly FallbackAnswer[]): string {
  return answers
    .map(({ client, event, events, refusal, notice, project }) => {
      const also = project.map((name) => `\${${name}-}`)[0] ?? "";
      const values = [
        events.length > 0 && `events='${events.join(" ")}' code=${refusal.exit} also="${also}"`,
        refusal.stdout !== "" && `answer=${shellWord(refusal.stdout)}`,
        notice.stdout !== "" && `notice=${shellWord(notice.stdout)}`,
        notice.exit !== 0 && `passed=${notice.exit}`,
      ];
      return `${shellWord(`${client} ${event}`)}) ${values.filter(Boolean).join(" ")} ;;`;
    })
    .join("\n");
}
