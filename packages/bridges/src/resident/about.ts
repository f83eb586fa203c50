/** What the front knows about the resident process before it sends anything. */
export interface About {
  readonly pid: number;
  /** New at every start, 32 hexadecimal digits. */
  readonly secret: string;
}

/** The text of the file `about`; it is also the mark in a request after which the client's text begins. */
export function formatAbout({ pid, secret }: About): string {
  return `${pid} ${secret}\n`;
}

/** Reads it; `undefined` for anything else. */
export function parseAbout(text: string): About | undefined {
  const [, pid, secret] = /^([1-9][0-9]{0,9}) ([0-9a-f]{32})\n$/.exec(text) ?? [];
  return pid === undefined || secret === undefined ? undefined : { pid: Number(pid), secret };
}
