import { DROPPED, FAMILIES, HARMLESS, SET_ASIDE } from "@tenterhook/file-hooks/run";

const NAMES = FAMILIES.flatMap(({ names, isOfHost }) => (isOfHost ? names : []));

/** By their first letter. */
const BY_LETTER = new Map<string, readonly string[]>();
for (const name of NAMES) BY_LETTER.set(name.charAt(0), [...(BY_LETTER.get(name.charAt(0)) ?? []), name]);

/** A system starts no process with much more than this; some space is left for what is added. */
const MOST = 960 * 1024;
const LONGEST = 64 * 1024;

/** Variables of the script itself, which are exported if the client has variables of these names. */
const OWN = ["node", "bridge", "why", "job", "client", "event", "drain", "all", "line", "name", "size"];

/**
 * The part of the POSIX script that keeps variables from Node that steer it, the loader or the C library, or that make its start fail. A
 * project can set them in some clients. They get another name, by which the bridge gives them to hooks that name them (`metadata.env`).
 *
 * `export -p` prints values too, so a line may be a part of one: what is done about a name is right for a variable that has it, and
 * harmless if there is none.
 */
export function setAsideLines(): string {
  return `# A word of \`export -p\`, split at its equals signs.
set_aside() {
  case "$1" in
  "export "*) name=\${1#export } ;;
  "declare -x "*) name=\${1#declare -x } ;;
  *) return ;;
  esac
  case "$name" in '' | [0-9]* | *[!A-Za-z0-9_]*) return ;; esac
  eval "${SET_ASIDE}$name=\\$$name; export ${SET_ASIDE}$name; unset $name"
}
drop_long() {
  case "$1" in
  "export "*) name=\${1#export } ;;
  "declare -x "*) name=\${1#declare -x } ;;
  *) return ;;
  esac
  case "$name" in '' | [0-9]* | *[!A-Za-z0-9_]* | PATH | dropped | ${OWN.join(" | ")}) return ;; esac
  eval "length=\\\${#$name}"
  if [ "$length" -gt ${LONGEST} ] || [ $((size + length)) -gt ${MOST} ]; then
    command unset "$name" 2>/dev/null
    [ \${#dropped} -gt 200 ] || dropped="$dropped $name"
  else
    size=$((size + \${#name} + length))
  fi
}
IFS='
'
set -f
all=$(export -p) size=0 dropped=
[ \${#all} -le ${MOST} ] || for line in $all; do
  IFS='='
  drop_long $line
done
IFS='
'
# Decided by the beginning of a line: values may be long, and shells take long for these.
for line in $all; do
  case "$line" in
  "declare -x "*) line="export \${line#declare -x }" ;;
  esac
  case "$line" in
  "export "[!${[...BY_LETTER.keys()].join("")}]*) ;;
${[...BY_LETTER].map(([letter, names]) => letterLines(letter, names)).join("\n")}
  esac
done
set +f
unset IFS all line
[ -z "$dropped" ] || { ${DROPPED}=$dropped; export ${DROPPED}; }`;
}

/** A shell compares with one pattern after the other, for every variable: most are decided by their first letter. */
function letterLines(letter: string, names: readonly string[]): string {
  const harmless = HARMLESS.filter((name) => name.startsWith(letter));
  const patterns = (of: readonly string[]) =>
    of.map((name) => `"export "${name.endsWith("*") ? name : `${name}=*`}`).join(" | ");
  return `  "export ${letter}"*)
    case "$line" in${harmless.length > 0 ? `\n    ${patterns(harmless)}) ;;` : ""}
    ${patterns(names)})
      IFS='='
      set_aside $line
      ;;
    esac
    ;;`;
}

/** Those variables, as a regular expression. */
export function setAsidePattern(): string {
  return `^(?!(?:${HARMLESS.join("|")})$)(?:${NAMES.map((name) => name.replaceAll("*", ".*")).join("|")})$`;
}
