import type { Environment } from "../caller/environment.ts";

/** Where a hook runs. */
export interface RunLocation {
  /** The hook's folder. */
  readonly folder: string;
  /** The private copy of a trusted hook's folder: what was trusted, and what is run. */
  readonly copy?: string;
  /** The project's root, or the working directory where there is none. */
  readonly projectDir: string;
  /** Further projects that concern this hook. */
  readonly projects?: readonly string[];
  /** The variables that the hook inherits from. Default: those of this process. */
  readonly env?: Environment;
  /** The home folder that the hook gets. Default: that of `env`. */
  readonly home?: string;
  /** The state folder of Tenterhook. */
  readonly state: string;
}
