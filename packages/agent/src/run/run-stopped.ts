/** Unwinds a run that a hook stopped or the caller aborted. Every layer fires its after-event. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  readonly stopReason: "stopped_by_hook" | "aborted";
  /** The hook that stopped it, if one did. */
  readonly hook: string | undefined;

  constructor(stopReason: RunStopped["stopReason"], message: string, hook?: string) {
    super(message);
    this.stopReason = stopReason;
    this.hook = hook;
  }
}
