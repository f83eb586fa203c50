import { COMPLETE } from "../call/encode/complete-answer.ts";
import { residentFiles } from "../resident/folder.ts";
import { FRONT, FRONT_PROGRAM } from "./front-program.ts";

/** What the script needs to ask a resident process. */
export interface ResidentFront {
  /** The folder of the resident process, see `residentFolder`. */
  readonly folder: string;
  /** The absolute path of Perl. */
  readonly perl: string;
}

/**
 * How Perl is started. `-T` makes it ignore variables that name code or layers of files (PERL5OPT, PERL5LIB, PERLIO), `-f` a file of
 * the site, and `-C0` PERL_UNICODE.
 */
export const PERL_OPTIONS = ["-C0", "-Tf"];

/**
 * The part of the POSIX script that asks a resident process, if there is a socket. The script continues only if nothing was read of the
 * client's text; codes 126 and 127 say that Perl could not be started. Once the event may have been sent, nothing is asked again, because
 * a hook may have acted: so a front that was killed counts as one that has sent it.
 *
 * It runs in the background, because a shell handles signals only after a program in the foreground has ended, and in place of a subshell, as
 * the bridge does: bash counts differently otherwise (SHLVL). Its own standard error is not the client's: Perl would print there that it does
 * not know the language.
 */
export function residentLines(
  { folder, perl }: ResidentFront,
  options: readonly string[],
  quote: (word: string) => string,
): string {
  return `# None of these may be a variable of the client, which would be exported to the hooks.
unset resident_folder resident_perl resident_ended
resident_folder=${quote(folder)}
resident_perl=${quote(perl)}
if [ -S ${quote(residentFiles(folder).socket)} ] && [ -x "$resident_perl" ] && [ -e /proc/self/fd/1 ] && [ -e /proc/self/fd/2 ]; then
  (trap '' PIPE; exec "$resident_perl" ${PERL_OPTIONS.join(" ")} -e '${FRONT_PROGRAM}' "$resident_folder" $$ "$@" ${options.join(" ")} <&3 3<&- 4>&2 2>/dev/null) &
  job=$!
  wait "$job"
  resident_ended=$?
  job=
  case $resident_ended in
  ${COMPLETE.passed}) trap - EXIT; exit 0 ;;
  ${COMPLETE.refused}) trap - EXIT; exit 2 ;;
  ${FRONT.cold} | ${FRONT.late} | 126 | 127) ;;
  ${FRONT.unread}) why=\${why:-"the agent did not read its answer"} ;;
  *) why=\${why:-"its resident process did not give an answer"} ;;
  esac
fi`;
}
