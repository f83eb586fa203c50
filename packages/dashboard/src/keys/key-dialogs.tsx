import { notifications } from "@mantine/notifications";
import { type ComponentType, createElement, useCallback, useState } from "react";
import { useKeys } from "./use-keys.ts";

type Dialog = ComponentType<{ readonly onClose: () => void }>;

const loadPalette = async (): Promise<Dialog> => (await import("./palette.tsx")).Palette;
const loadHelp = async (): Promise<Dialog> => (await import("./key-help.tsx")).KeyHelp;

/** Loads the dialogs ahead. Never rejects. */
export async function preloadDialogs(): Promise<void> {
  await Promise.allSettled([loadPalette(), loadHelp()]);
}

/** The dialogs that keys open, on every page. Their code is loaded when it is needed. */
export function KeyDialogs() {
  const [dialog, setDialog] = useState<Dialog>();
  const show = useCallback((load: () => Promise<Dialog>) => {
    load().then(
      (loaded) => setDialog(() => loaded),
      () =>
        notifications.show({
          color: "red",
          title: "Not loaded",
          message: "The coordinator does not respond.",
        }),
    );
  }, []);
  const onPalette = useCallback(() => show(loadPalette), [show]);
  const onHelp = useCallback(() => show(loadHelp), [show]);
  useKeys({ onPalette, onHelp });
  return dialog === undefined ? null : createElement(dialog, { onClose: () => setDialog(undefined) });
}
