/** Milliseconds since the process began. Replaces `performance.now` in the bundle of the bridge: Node 20 loads eleven modules for that. */
export const quickNow = (): number => process.uptime() * 1_000;
