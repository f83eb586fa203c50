import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { copyText } from "./copy-text.ts";

/** How long a button shows that it has copied. */
const SHOWN_MS = 1_500;

interface Copy {
  /** Whether a text was copied just now. */
  readonly isCopied: boolean;
  readonly copy: (text: string) => Promise<void>;
}

/** Copies texts for a button. Without `onFailure`, a notification tells the user that the browser does not allow it. */
export function useCopy(onFailure: () => void = showFailure): Copy {
  const [isCopied, setCopied] = useState(false);
  const copy = async (text: string) => {
    if (!(await copyText(text))) return onFailure();
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return { isCopied, copy };
}

function showFailure(): void {
  notifications.show({
    color: "red",
    title: "Not copied",
    message: "The browser does not allow this page to use the clipboard.",
  });
}
