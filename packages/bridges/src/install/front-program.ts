import { COMPLETE } from "../call/encode/complete-answer.ts";
import { FRONT_LATE } from "../resident/front-late.ts";

/** How the front ends, beside the codes of a complete answer, which it has printed then. */
export const FRONT = {
  /** Nothing of the client's text was read. */
  cold: 50,
  /** The same, after the resident process was waited for in vain. */
  late: FRONT_LATE,
  /** The event may have been sent, and there is no complete answer. */
  silent: 51,
  /** The client could not be given the answer. */
  unread: 52,
} as const;

/** How long the resident process has to take a call, in seconds; at most a quarter of the client's time. */
const PATIENCE = 2;

/**
 * The front, a program in Perl that uses no module: what it needs of the system is built in, and it starts in a tenth of Node's time. Its
 * arguments are the folder of the resident process, the script's process, and the arguments of the bridge. File descriptor 4 is the
 * client's standard error. It contains no single quote, because the script has it between two. The script ignores SIGPIPE for it.
 *
 * The numbers are those of Linux: kinds and modes of files, AF_UNIX, SOCK_STREAM and SOCK_NONBLOCK, SOL_SOCKET and SO_PEERCRED, EINTR and
 * EAGAIN. Where a processor has others, the socket is not created or not connected, and the call is cold.
 */
export const FRONT_PROGRAM = String.raw`
my ($folder, $limit, $proof, $unsent, $received, $is_reading, $patience, $left);
# Perl runs each of these blocks before it compiles what follows. The resident process prepares for a call while the next one is compiled:
# nothing is sent yet.
BEGIN {
  ($folder) = $ARGV[0] =~ /\A(.*)\z/s;
  socket SOCKET, 1, 1 | 2048, 0 and connect SOCKET, pack "Sa108", 1, "$folder/socket" or exit ${FRONT.cold};
}
# The rest is compiled while the resident process decides.
BEGIN {
  (undef, my ($caller, @args)) = @ARGV;
  my %option = @args;
  $limit = $option{"--timeout"};
  $limit =~ /\A[1-9][0-9]{0,4}\z/ or exit ${FRONT.cold};
  open ERROR, ">&=4" and stat ERROR and stat STDOUT or exit ${FRONT.cold};
  # In a language that Perl does not know, PERLIO counts although it should not.
  binmode $_ for *STDIN, *STDOUT, *ERROR, *SOCKET;

  # The folder, and what is in it, must be of this user alone.
  sub is_own { my @file = lstat $_[0]; @file && $file[4] == $> && $file[2] == $_[1] }
  my ($parent) = $folder =~ m{\A(.*)/}s;
  is_own($parent, 040700) && is_own($folder, 040700) or exit ${FRONT.cold};
  is_own("$folder/socket", 0140600) && is_own("$folder/about", 0100600) or exit ${FRONT.cold};

  sub content {
    my ($content, $read, $file) = ("", 0);
    sysopen $file, $_[0], 0 and binmode $file or exit ${FRONT.cold};
    1 while $read = sysread $file, $content, 65536, length $content;
    defined $read ? $content : exit ${FRONT.cold};
  }
  (my ($process, $secret), $proof) = content("$folder/about") =~ /\A([1-9][0-9]{0,9}) ([0-9a-f]{32}) ([0-9a-f]{32})\n\z/
    or exit ${FRONT.cold};
  sub is_same { my @one = stat $_[0]; my @other = stat $_[1]; @one && @other && $one[0] == $other[0] && $one[1] == $other[1] }
  is_same("/proc/self/ns/$_", "/proc/$process/ns/$_") or exit ${FRONT.cold} for qw(mnt pid net user);
  my $cwd = readlink "/proc/self/cwd";
  is_same(".", $cwd) or exit ${FRONT.cold};

  my ($peer, $user) = unpack "iI", getsockopt(SOCKET, 1, 17) || "";
  $peer == $process && $user == $> or exit ${FRONT.cold};

  ($received, $is_reading) = ("", 0);
  $patience = $limit / 4 < ${PATIENCE} ? $limit / 4 : ${PATIENCE};
  $left = $patience;
  my @parts = ("call", $secret, $caller, $$, $cwd, scalar @args, @args);
  $unsent = pack "N/a*", join("", map "$_\0", @parts) . content("/proc/self/environ");
  my $count = syswrite SOCKET, $unsent;
  substr $unsent, 0, $count, "" if $count;
}

# Moves what can be moved: from standard input to the socket, and from the socket. False when the time or the connection is over.
sub move {
  my ($ready, $readable, $writable, $count) = (0, "", "");
  vec($readable, fileno SOCKET, 1) = 1;
  vec($readable, 0, 1) = 1 if $is_reading && $unsent eq "";
  vec($writable, fileno SOCKET, 1) = 1 if $unsent ne "";
  ($ready, $left) = select $readable, $writable, undef, $left;
  return $! == 4 if $ready < 0;
  return 0 if $ready == 0;
  if (vec $readable, fileno SOCKET, 1) {
    $count = sysread SOCKET, $received, 65536, length $received;
    return 0 if defined $count ? $count == 0 : $! != 4 && $! != 11;
  }
  if (vec $readable, 0, 1) {
    my $text = "";
    $count = sysread STDIN, $text, 65536;
    if (defined $count || $! != 4 && $! != 11) {
      $unsent = pack "N/a*", $text;
      $is_reading = 0 if !$count;
    }
  }
  # What was just read can be sent most of the time.
  if ($unsent ne "") {
    $count = syswrite SOCKET, $unsent;
    if (defined $count) { substr $unsent, 0, $count, "" }
    # It takes no more, and may have answered already.
    elsif ($! != 4 && $! != 11) { $unsent = ""; $is_reading = 0 }
  }
  1;
}
sub receive {
  my $end;
  until (length $received >= 4 && length $received >= ($end = 4 + unpack "N", $received)) { move() or return }
  substr substr($received, 0, $end, ""), 4;
}

my $decision = receive();
exit ${FRONT.late} if !defined $decision && $left <= 0;
defined $decision && $decision =~ /\A$proof serve ([0-9a-f]{32})\z/ or exit ${FRONT.cold};
# What the system shows of a process only the process itself can change.
$0 = $1;

# A little later than the bridge itself gives up, and before the client does.
my $margin = $limit < 2 ? 0.2 : $limit > 50 ? 5 : $limit / 10;
$left = $limit - $margin / 2 - ($patience - $left);
$is_reading = 1;
my @answer;
for (1 .. 3) {
  my $part = receive();
  defined $part or exit ${FRONT.silent};
  push @answer, $part;
}
my ($code, $error, $output) = @answer;
$code =~ /\A(?:${COMPLETE.passed}|${COMPLETE.refused})\z/ or exit ${FRONT.silent};
sub show {
  my ($to, $text, $at, $count) = (@_, 0);
  while ($at < length $text) {
    $count = syswrite $to, $text, length($text) - $at, $at;
    if (defined $count) { $at += $count }
    elsif ($! == 11) { my $full = ""; vec($full, fileno $to, 1) = 1; select undef, $full, undef, undef }
    elsif ($! != 4) { return 0 }
  }
  1;
}
show(*ERROR, $error);
show(*STDOUT, $output) or exit ${FRONT.unread};
exit $code;
`;
