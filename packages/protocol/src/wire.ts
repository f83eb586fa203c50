import { setField } from "@tenterhook/internal";
import type { EventName } from "./events.ts";
import { WIRE_SHAPES } from "./generated/wire-shapes.ts";
import type { Payload } from "./types.ts";
import type { WireField, WireShape } from "./wire-shape.ts";

/** An event as it is sent to scripts, webhooks and agents: snake_case, with its name in `event_type`. */
export type WireEvent = { event_type: EventName } & Record<string, unknown>;

/**
 * Spells a payload for the wire. What a shape declares is renamed; what it leaves open (a tool's input, a
 * message's extra fields) is passed through untouched. `context` comes last, for scripts that read by line.
 */
export function toWire<E extends EventName>(event: E, payload: Payload<E>): WireEvent {
  const { context, ...rest } = renamed(payload as Record<string, unknown>, WIRE_SHAPES[event]);
  return { event_type: event, ...rest, ...(context !== undefined && { context }) };
}

/** Reads a wire event's fields back into a payload's spelling. It does not check them: that is the schemas' work. */
export function fromWire(event: EventName, wire: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { event_type: _, ...rest } = wire;
  return renamed(rest, inverted(WIRE_SHAPES[event]));
}

/** How a field of an event is spelled on the wire. */
export function wireName(event: EventName, field: string): string {
  const entry = WIRE_SHAPES[event][field];
  return typeof entry === "string" ? entry : (entry?.name ?? field);
}

/** The fields of an event. */
export function fieldNames(event: EventName): readonly string[] {
  return Object.keys(WIRE_SHAPES[event]);
}

function renamed(value: Readonly<Record<string, unknown>>, shape: WireShape): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (!Object.hasOwn(shape, key)) setField(result, key, entry);
  }
  // An Error's fields are not enumerable, so what the shape declares is read by name.
  for (const [key, field] of Object.entries(shape)) {
    const entry = value[key];
    if (entry === undefined) continue;
    if (typeof field === "string") setField(result, field, entry);
    else
      setField(
        result,
        field.name,
        field.list ? renamedList(entry, field.shape) : renamedPart(entry, field.shape),
      );
  }
  return result;
}

function renamedList(entry: unknown, shape: WireShape): unknown {
  return Array.isArray(entry) ? entry.map((item) => renamedPart(item, shape)) : entry;
}

function renamedPart(entry: unknown, shape: WireShape): unknown {
  return typeof entry === "object" && entry !== null
    ? renamed(entry as Record<string, unknown>, shape)
    : entry;
}

const inversions = new WeakMap<WireShape, WireShape>();

function inverted(shape: WireShape): WireShape {
  const known = inversions.get(shape);
  if (known !== undefined) return known;
  const inverse = Object.fromEntries(
    Object.entries(shape).map(([key, field]): [string, WireField] =>
      typeof field === "string"
        ? [field, key]
        : [field.name, { ...field, name: key, shape: inverted(field.shape) }],
    ),
  );
  inversions.set(shape, inverse);
  return inverse;
}
