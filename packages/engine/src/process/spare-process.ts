import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** What a spare process becomes. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All variables that it gets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Waits on file descriptor 3 for a message: its length in four bytes, then parts that each end with a NUL: the folder, the number of
 * arguments, the command and its arguments, the variables. Then it becomes that program. Whenever it cannot, it says so, and never ends with
 * 0, which would be a hook's consent. Perl closes file descriptors above 2 for what it executes, and has SIGFPE as it was then.
 */
const PROGRAM = String.raw`
open CONTROL, "+<&=3" or exit 127;
binmode CONTROL;
my $message = "";
until (length $message >= 4 && length $message >= 4 + unpack "N", $message) {
  my $count = sysread CONTROL, $message, 65536, length $message;
  exit 127 if defined $count ? !$count : $! != 4;
}
my ($cwd, $count, @parts) = split /\0/, substr($message, 4), -1;
pop @parts;
my @command = splice @parts, 0, $count;
%ENV = map { /\A([^=]+)=(.*)\z/s } @parts;
chdir $cwd and exec { $command[0] } @command;
syswrite CONTROL, "failed";
exit 127;
`;

/**
 * A process that was started before it is needed, and becomes the program that is to run. To start a process takes a large one as Node
 * milliseconds, in which an agent waits; to become another program takes a small one a fraction of that. It ends when its parent is gone.
 * POSIX only.
 */
export class SpareProcess {
  readonly child: ChildProcess;
  readonly #control: Socket | undefined;
  #hasEnded = false;

  /** `perl`: the absolute path of Perl. It never throws: a spare process that could not be started is not usable. */
  constructor(perl: string) {
    // Without variables it has nothing to say, for example about a language that it does not know.
    this.child = spawn(perl, ["-C0", "-f", "-e", PROGRAM], {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    this.#control = this.child.stdio[3] as Socket | undefined;
    const end = () => {
      this.#hasEnded = true;
    };
    this.child.once("error", end).once("exit", end);
    this.#control?.on("error", end);
    this.#setReferenced(false);
  }

  get isUsable(): boolean {
    return !this.#hasEnded && this.child.pid !== undefined && this.#control?.writable === true;
  }

  /** Becomes a program. `failed` is called if it cannot; then it ends, and nothing was run. */
  become({ command, args, cwd, env }: Program, failed: () => void): void {
    this.#setReferenced(true);
    this.#control?.once("data", failed);
    const variables = Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    const parts = [cwd, String(args.length + 1), command, ...args, ...variables];
    const message = Buffer.from(`\0\0\0\0${parts.join("\0")}\0`);
    message.writeUInt32BE(message.length - 4);
    this.#control?.end(message);
  }

  /** Whether this process stays alive for it. */
  #setReferenced(isReferenced: boolean): void {
    const { child } = this;
    for (const handle of [child, ...(child.stdio as readonly (Socket | null | undefined)[])])
      if (isReferenced) handle?.ref();
      else handle?.unref();
  }
}
