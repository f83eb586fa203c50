/** What the front knows about the resident process before it sends anything. */
export interface About {
  readonly pid: number;
  /** What the front proves with that it may read the user's files: 32 hexadecimal digits, new at every start. */
  readonly secret: string;
  /** What the resident process proves with that it has written this: as many. It is sent in answers only. */
  readonly proof: string;
}

/** The text of the file `about`. */
export function formatAbout({ pid, secret, proof }: About): string {
  return `${pid} ${secret} ${proof}\n`;
}

/** Reads it; `undefined` for anything else. */
export function parseAbout(text: string): About | undefined {
  const [, pid, secret, proof] = /^([1-9][0-9]{0,9}) ([0-9a-f]{32}) ([0-9a-f]{32})\n$/.exec(text) ?? [];
  if (pid === undefined || secret === undefined || proof === undefined) return undefined;
  return { pid: Number(pid), secret, proof };
}
