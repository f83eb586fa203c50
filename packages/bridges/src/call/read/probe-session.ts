/** Sessions of `tenterhook doctor`. The random part names the folder that doctor has made for this one call. */
const PROBE_SESSION = /tenterhook-doctor-[0-9a-f]{32}/;
const LENGTH = "tenterhook-doctor-".length + 32;

/** Whether a session is one that doctor sends a call in. Every call checks this, so it reads no file. */
export function isProbeSession(sessionId: string): boolean {
  return sessionId.length === LENGTH && PROBE_SESSION.test(sessionId);
}

/** The folder that doctor makes for a call: its hook, and what the bridge stores about it. */
export function probeFolder(state: string, sessionId: string): string {
  return `${state}/bridge/probes/${sessionId}`;
}

/** The variables that lead to the folders of a probe in place of the user's. */
export function probeVariables(folder: string): Readonly<Record<string, string>> {
  return {
    XDG_CONFIG_HOME: `${folder}/config`,
    XDG_STATE_HOME: `${folder}/state`,
    XDG_CACHE_HOME: `${folder}/cache`,
  };
}
