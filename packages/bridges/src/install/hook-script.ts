import type { FallbackAnswer } from "./fallback-answers.ts";
import { CANNOT_RUN } from "./fallback-answers.ts";
import type { Pins } from "./installation.ts";

/**
 * Variables that make Node, or the loader, run something else, or crash. A project can set them in some clients. The
 * environment of hooks is cleared of them once more, when a hook is started.
 */
export const UNSET = [
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_ICU_DATA", "NODE_EXTRA_CA_CERTS", "NODE_V8_COVERAGE", "NODE_DEBUG"],
  ...["NODE_DEBUG_NATIVE", "NODE_REDIRECT_WARNINGS", "NODE_PENDING_DEPRECATION", "NODE_COMPILE_CACHE"],
  ...[
    "NODE_PRESERVE_SYMLINKS",
    "NODE_PRESERVE_SYMLINKS_MAIN",
    "NODE_CHANNEL_FD",
    "NODE_UNIQUE_ID",
    "NODE_TEST_CONTEXT",
  ],
  ...["OPENSSL_CONF", "OPENSSL_MODULES", "UV_USE_IO_URING", "UV_THREADPOOL_SIZE", "LD_PRELOAD", "LD_AUDIT"],
  ...[
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "BASH_ENV",
    "ENV",
    "PYTHONPATH",
    "PYTHONHOME",
  ],
  ...["PYTHONSTARTUP", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
  ...["XDG_CACHE_HOME", "XDG_DATA_HOME"],
];

export interface HookScript {
  readonly pins: Pins;
  readonly answers: readonly FallbackAnswer[];
  /** The file with the guards that must block, see `judge/guards.ts`. */
  readonly guards: string;
  /** Whether the shell takes `-p`: then it imports neither functions nor options from the environment. */
  readonly hasPrivilegedMode: boolean;
}

/** The options that name the bridge's folders, whatever the client's environment is. */
export function homeOptions(pins: HookScript["pins"], quote: (value: string) => string): readonly string[] {
  return [
    `--home ${quote(pins.home)}`,
    `--config-home ${quote(pins.configHome)}`,
    `--state-home ${quote(pins.stateHome)}`,
    `--cache-home ${quote(pins.cacheHome)}`,
  ];
}

/**
 * The script that clients start. It becomes the bridge, without starting another process. A shell reads a script as it runs it, so
 * the lines after the first `exec` usually cost nothing.
 */
export function hookScript({ pins, answers, guards, hasPrivilegedMode }: HookScript): string {
  const language = Object.entries(pins.language).map(([name, value]) =>
    value === undefined ? `unset ${name}` : `${name}=${quoted(value)}; export ${name}`,
  );
  const options = homeOptions(pins, quoted);
  return `#!/bin/sh${hasPrivilegedMode ? " -p" : ""}
# Written by tenterhook install: coding agents start this as their hook. To remove it: npx tenterhook uninstall
node=${quoted(pins.node)}
bridge=${quoted(pins.bridge)}
unset ${UNSET.join(" ")}
${language.join("\n")}
PATH=${quoted(pins.path.join(":"))}\${PATH:+:"$PATH"}
export PATH
if [ "$1" != --gone ] && [ -x "$node" ] && [ -r "$bridge" ]; then
  exec "$node" "$bridge" "$@" ${options.join(" ")}
fi

# Node or the bridge is gone. The guards that were known last decide.
if [ "$1" = --gone ]; then
  shift
  why='its own files are damaged'
elif [ ! -x "$node" ]; then
  why="node is gone from $node"
else
  why="its own files are gone from $bridge"
fi
printf 'tenterhook: %s; run: npx tenterhook install\\n' "$why" >&2
case "$2 $4" in
${arms(answers)}
*) exit 0 ;;
esac
guards=${quoted(guards)}
refuse() {
  [ -z "$answer" ] || printf '%s\\n' "$answer"
  printf '%s (%s)\\n' ${quoted(CANNOT_RUN)} "$1" >&2
  exit "$code"
}
[ -f "$guards" ] && [ -r "$guards" ] || refuse "the list of guards is gone too"
here=$(pwd -P 2>/dev/null)/
while IFS='	' read -r event project name; do
  case " $events " in *" $event "*) ;; *) continue ;; esac
  case "$project" in
  '*') ;;
  *)
    case "$here" in
    "$project"/*) ;;
    *) case "$also/" in "$project"/*) ;; *) continue ;; esac ;;
    esac
    ;;
  esac
  refuse "$name"
done <"$guards"
exit 0
`;
}

/** A word, quoted for a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function arms(answers: readonly FallbackAnswer[]): string {
  return answers
    .map(({ client, event, events, stdout, exit, project }) => {
      const also = project.map((name) => `\${${name}-}`)[0] ?? "";
      const set = `events='${events.join(" ")}' code=${exit} also="${also}" answer=${quoted(stdout)}`;
      return `${quoted(`${client} ${event}`)}) ${stdout === "" ? set.replace(/answer=.*$/, "answer=") : set} ;;`;
    })
    .join("\n");
}
