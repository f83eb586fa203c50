import { COMPLETE } from "../call/encode/complete-answer.ts";
import { residentFiles } from "../resident/folder.ts";

/** What the script needs to ask a resident process. */
export interface ResidentFront {
  /** The folder of the resident process, see `residentFolder`. */
  readonly folder: string;
  /** The absolute path of curl. */
  readonly curl: string;
}

/** Exit codes inside the script, beside those of a complete answer. */
export const ASKED = {
  /** curl has a response. */
  responded: 50,
  /** curl has none, and the event may have been sent. */
  silent: 51,
} as const;

/** What curl and the libraries that it loads read from the environment, for any protocol. */
const CURL_VARIABLES = [
  ...["http", "https", "ftp", "all", "no"].flatMap((name) => [
    `${name}_proxy`,
    `${name.toUpperCase()}_PROXY`,
  ]),
  ...["CURL_HOME", "CURL_CA_BUNDLE", "CURL_SSL_BACKEND", "QLOGDIR"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "SSL_DIR", "SSLKEYLOGFILE"],
  ...["OPENSSL_CONF", "OPENSSL_CONF_INCLUDE", "OPENSSL_ENGINES", "OPENSSL_MODULES"],
];

/** curl's exit codes that mean that it has not connected, so that nothing was sent; 126 and 127: the shell could not start it. */
const NOT_CONNECTED = [1, 2, 3, 4, 7, 126, 127];

/**
 * The part of the POSIX script that decides whether a resident process is asked. It starts no process, and sends nothing: the
 * folder and its files must be the user's, and the process in the same namespaces.
 */
export function findResidentLines({ folder, curl }: ResidentFront, quote: (word: string) => string): string {
  const { socket, about } = residentFiles(folder);
  return `# None of these may be a variable of the client, which would be exported to the hooks.
unset resident_about resident_secret resident_pid resident_limit resident_margin resident_kind resident_cwd resident_response resident_text
resident_folder=${quote(folder)}
resident_socket=${quote(socket)}
resident_curl=${quote(curl)}
resident_about=${quote(about)}
# A resident process is asked if it is the user's own, and in the same namespaces; nothing is sent before that is known.
is_resident() {
  [ -d "$resident_folder" ] && [ ! -h "$resident_folder" ] && [ -O "$resident_folder" ] || return
  [ -S "$resident_socket" ] && [ ! -h "$resident_socket" ] && [ -O "$resident_socket" ] || return
  [ -f "$resident_about" ] && [ ! -h "$resident_about" ] && [ -O "$resident_about" ] || return
  [ -x "$resident_curl" ] && [ "\${5-}" = --timeout ] || return
  { IFS= read -r resident_about <"$resident_about"; } 2>/dev/null || return
  resident_pid=\${resident_about%% *} resident_secret=\${resident_about#* } resident_limit=$6
  case "$resident_pid" in '' | 0* | *[!0-9]* | ???????????*) return 1 ;; esac
  case "$resident_secret" in *[!0-9a-f]*) return 1 ;; esac
  case "$resident_limit" in '' | 0* | *[!0-9]* | ??????*) return 1 ;; esac
  [ \${#resident_secret} -eq 32 ] || return
  for resident_kind in mnt pid net user; do
    [ "/proc/self/ns/$resident_kind" -ef "/proc/$resident_pid/ns/$resident_kind" ] || return
  done
  # A little later than the bridge itself gives up, and before the client does.
  resident_margin=$((resident_limit * 100))
  [ "$resident_margin" -ge 200 ] || resident_margin=200
  [ "$resident_margin" -le 5000 ] || resident_margin=5000
  resident_limit=$((resident_limit * 1000 - resident_margin / 2))
  resident_limit=$((resident_limit / 1000)).$((resident_limit % 1000 / 100))
}`;
}

/**
 * The part that asks it, inside the script's background job; `ended` and `answer` are then what they are after a start of the bridge. curl
 * connects before it reads what it sends: if it cannot connect, the bridge gets the same pipe in its place (`--framed`). Once the event
 * may have been sent, nothing is asked again, because a hook may have acted.
 *
 * What sends the event runs in the background, because shells wait for all parts of a pipeline, and clients may leave their pipe open.
 */
export function askResidentLines(options: readonly string[]): string {
  // An option and its value each.
  const count = options.length * 2;
  return `ask_resident() {
  resident_cwd=$(pwd -P && printf x) && resident_cwd=\${resident_cwd%?x} || resident_cwd=
  resident_response=$(
    {
      {
        printf '%s\\0' "$resident_about" "$resident_cwd" "$$" "$(($# + ${count}))" "$@" ${options.join(" ")}
        cat /proc/self/environ /proc/self/stat
        printf '%s\\n' "$resident_about"
        exec cat
      } <&3 3<&- 2>/dev/null &
    } | {
      (
        unset ${CURL_VARIABLES.join(" ")}
        LC_ALL=C
        export LC_ALL
        exec "$resident_curl" -q -s --noproxy '*' --unix-socket "$resident_socket" -m "$resident_limit" -H Expect: -X POST -T - http://localhost/call 3<&-
      ) 2>/dev/null
      case $? in
      0) exit ${ASKED.responded} ;;
      ${NOT_CONNECTED.join(" | ")}) ;;
      *) exit ${ASKED.silent} ;;
      esac
      start_bridge "$@" --framed yes 3<&-
    }
  )
  ended=$?
  if [ $ended -ne ${ASKED.responded} ]; then
    answer=$resident_response
    return
  fi
  IFS='
'
  set -f
  read_response $resident_response
  set +f
  unset IFS
  # It has declined, before any hook has run, and has stored the text.
  answer=$(
    {
      rm -f "$resident_folder/$resident_text"
      start_bridge "$@"
    } <"$resident_folder/$resident_text" 3<&-
  )
  ended=$?
}
# The agent no longer waits. The shells around curl have its pipes: it must not wait for them until curl has given up.
end_job() {
  resident_tree=$job resident_level=$job
  for resident_kind in answer pipeline curl; do
    resident_below=
    for resident_pid in $resident_level; do
      resident_children=
      { read -r resident_children <"/proc/$resident_pid/task/$resident_pid/children"; } 2>/dev/null
      resident_below="$resident_below $resident_children"
    done
    resident_tree="$resident_tree $resident_below" resident_level=$resident_below
  done
  kill $resident_tree 2>/dev/null
}
# Four lines. The secret proves who has sent them.
read_response() {
  [ $# -eq 4 ] && [ "$4" = "$resident_secret end" ] || exit ${ASKED.silent}
  case "$1" in
  "$resident_secret ${COMPLETE.passed}" | "$resident_secret ${COMPLETE.refused}")
    [ "$2" = e ] || printf '%b' "\${2#e}" >&2
    [ "$3" = o ] || printf '%b\\n' "\${3#o}" || exit ${ASKED.silent}
    exit "\${1#* }"
    ;;
  "$resident_secret cold") resident_text=\${3#o} ;;
  *) exit ${ASKED.silent} ;;
  esac
  case "$resident_text" in
  *[!0-9a-z-]*) exit ${ASKED.silent} ;;
  text-*) ;;
  *) exit ${ASKED.silent} ;;
  esac
}`;
}
