import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { Zoom } from "./use-zoom.ts";

/** The pointer must move as far until a click becomes a selection. */
const MIN_DRAG_PX = 5;
const KEY_FACTOR = 0.5;
const KEY_MOVE = 0.2;
/** How much a pixel of the wheel zooms. */
const WHEEL_RATE = 0.002;
const LINE_PX = 16;

/** Between 0 and 1 on the scale. */
export interface Selection {
  readonly from: number;
  readonly to: number;
}

/** Zooms a timeline by dragging, by the wheel with Ctrl, and by keys. `[data-scale]` within the element is as wide as the scale. */
export function useZoomGestures(zoom: Zoom) {
  const box = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection>();
  const wasDragged = useRef(false);
  const latest = useRef(zoom);
  latest.current = zoom;

  const positionOf = (clientX: number): number | undefined => {
    const rect = box.current?.querySelector("[data-scale]")?.getBoundingClientRect();
    return rect === undefined || rect.width === 0 ? undefined : (clientX - rect.left) / rect.width;
  };

  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => handleWheel(event, latest.current, positionOf(event.clientX));
    // React listens in a way that cannot prevent scrolling.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });

  const onPointerDown = (event: PointerEvent) => {
    // A finger scrolls.
    if (event.button !== 0 || event.pointerType === "touch") return;
    const from = positionOf(event.clientX);
    if (from === undefined || from < 0 || from > 1) return;
    const startX = event.clientX;
    wasDragged.current = false;
    const listening = new AbortController();
    const listen = (
      type: "pointermove" | "pointerup" | "pointercancel",
      listener: (event: globalThis.PointerEvent) => void,
    ) => window.addEventListener(type, listener, { signal: listening.signal });
    listen("pointermove", ({ clientX }) => {
      wasDragged.current ||= Math.abs(clientX - startX) >= MIN_DRAG_PX;
      if (wasDragged.current) setSelection({ from, to: positionOf(clientX) ?? from });
    });
    listen("pointerup", ({ clientX }) => {
      listening.abort();
      setSelection(undefined);
      if (wasDragged.current) latest.current.select(from, positionOf(clientX) ?? from);
    });
    listen("pointercancel", () => {
      listening.abort();
      setSelection(undefined);
    });
  };

  /** The end of a selection is not a click on the row below. */
  const onClickCapture = (event: MouseEvent) => {
    if (!wasDragged.current) return;
    wasDragged.current = false;
    event.stopPropagation();
    event.preventDefault();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !handleKey(event.key, zoom)) return;
    event.preventDefault();
  };

  return { selection, area: { ref: box, onPointerDown, onClickCapture, onKeyDown } };
}

function handleWheel(event: WheelEvent, zoom: Zoom, position: number | undefined): void {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const around = Math.min(1, Math.max(0, position ?? 0.5));
    zoom.zoomBy(Math.exp(event.deltaY * unit * WHEEL_RATE), around);
    return;
  }
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (zoom.isWhole || Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
  event.preventDefault();
  zoom.moveBy((sideways * unit) / (window.innerWidth / 2));
}

/** Returns whether the key has a meaning here. */
function handleKey(key: string, zoom: Zoom): boolean {
  switch (key) {
    case "+":
    case "=":
      zoom.zoomBy(KEY_FACTOR);
      return true;
    case "-":
    case "_":
      zoom.zoomBy(1 / KEY_FACTOR);
      return true;
    case "0":
      zoom.showWhole();
      return true;
    case "f":
    case "F":
      zoom.fitWork?.();
      return true;
    case "ArrowLeft":
    case "ArrowRight":
      if (zoom.isWhole) return false;
      zoom.moveBy(key === "ArrowLeft" ? -KEY_MOVE : KEY_MOVE);
      return true;
    default:
      return false;
  }
}
