import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { isDaemonEnabled } from "@tenterhook/file-hooks/discover";
import { isReliable, isSameSignature, type Signature, signatureOf } from "@tenterhook/internal/files";

/** What was read of a user's hooks.toml, and the file's signature from before. */
interface ReadSetting {
  readonly signature: Signature | undefined;
  readonly isEnabled: boolean;
}

/** More users than one are a mistake of their variables. */
const MOST_FILES = 100;

/** Whether users want a resident process, by their hooks.toml. A file is read again when it has changed. */
export class DaemonSetting {
  readonly #read = new Map<string, ReadSetting>();

  async isEnabled(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
    const { userHooks } = findLocations("/", env);
    const signature = signatureOf(join(userHooks, "hooks.toml"));
    const known = this.#read.get(userHooks);
    if (known !== undefined && isSameSignature(known.signature, signature)) return known.isEnabled;
    const isEnabled = await isDaemonEnabled(userHooks);
    if (this.#read.size >= MOST_FILES) this.#read.clear();
    // A second change in the same moment would not show.
    if (signature === undefined || isReliable(signature)) this.#read.set(userHooks, { signature, isEnabled });
    else this.#read.delete(userHooks);
    return isEnabled;
  }
}
