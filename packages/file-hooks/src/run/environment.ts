import { environmentWithoutSecrets } from "@tenterhook/engine/process";

/** What a hook's process is told about where it runs. */
export interface HookPlace {
  readonly hookDir: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly event: string;
  readonly stateDir: string;
}

/** The environment of a hook: this process's, without what looks like a secret, and with its own place in it. */
export function environmentFor(place: HookPlace, allowed: readonly string[]): Record<string, string> {
  const env = environmentWithoutSecrets(allowed);
  env.TENTERHOOK_HOOK_DIR = place.hookDir;
  env.TENTERHOOK_PROJECT_DIR = place.projectDir;
  env.TENTERHOOK_SESSION_ID = place.sessionId;
  env.TENTERHOOK_EVENT = place.event;
  env.TENTERHOOK_STATE_DIR = place.stateDir;
  return env;
}

/** The names that a hook's metadata lets through: a hook that needs a secret lists it under `metadata.env`. */
export function allowedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { env } = metadata as { env?: unknown };
  return Array.isArray(env) ? env.filter((name): name is string => typeof name === "string") : [];
}
