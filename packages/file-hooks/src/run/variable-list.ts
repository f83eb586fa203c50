/** A variable that a hook's process does not get, or not as it is. */
export interface OmittedVariable {
  readonly name: string;
  readonly why: string;
  /** It is left out for its length, which its author may not expect. */
  readonly isTooLong?: true;
}

/** Why a variable is not passed on, or not as it is. */
export type Reason = Omit<OmittedVariable, "name">;

/** A longer variable is not passed on. From 128 KiB on, Linux starts no process with it. */
const LONGEST = 64 * 1024;
/** What exceeds this is not passed on. Linux starts no process with more than about 2 MiB. */
const MOST = 1024 * 1024;

export const TOO_MANY: Reason = { why: "all variables together are longer than 1 MiB", isTooLong: true };

/** Variables for a process, up to a limit, and why others are not among them. */
export class VariableList {
  readonly variables: Record<string, string> = {};
  readonly omitted: OmittedVariable[] = [];
  #size = 0;

  has(name: string): boolean {
    return Object.hasOwn(this.variables, name);
  }

  put(name: string, value: string): void {
    const size = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
    if (size > LONGEST) this.omit(name, { why: "it is longer than 64 KiB", isTooLong: true });
    else if (this.#size + size > MOST) this.omit(name, TOO_MANY);
    else {
      this.#size += size;
      this.variables[name] = value;
    }
  }

  omit(name: string, reason: Reason): void {
    this.omitted.push({ name, ...reason });
  }
}
