import type { HookDescriptor } from "@tenterhook/protocol";

const bodies = new WeakMap<HookDescriptor, () => string>();

/** Keeps how the text about a hook is read. A descriptor is plain data, so it cannot hold that itself. */
export function setBody(descriptor: HookDescriptor, read: () => string): void {
  bodies.set(descriptor, read);
}

/** The text about a hook; `undefined` when it has none. */
export function bodyOf(descriptor: HookDescriptor): string | undefined {
  return bodies.get(descriptor)?.();
}
