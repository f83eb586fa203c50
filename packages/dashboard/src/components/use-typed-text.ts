import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { followAddress, type TypedText } from "./typed-text.ts";

/**
 * The text of a field whose value is in the address. The field shows every key at once, and the address follows: after a pause in
 * typing, if there is one.
 */
export function useTypedText(value: string, onChange: (text: string) => void, pauseMs = 0) {
  const [typed, setTyped] = useState<TypedText>({ text: value, value, sent: [] });
  if (typed.value !== value) setTyped(followAddress(typed, value));
  const send = (text: string) => {
    setTyped((now) => ({ ...now, sent: [...now.sent, text.trim()] }));
    onChange(text);
  };
  const sendLater = useDebouncedCallback(send, pauseMs);
  const change = (text: string) => {
    setTyped((now) => ({ ...now, text }));
    if (pauseMs === 0) send(text);
    else sendLater(text);
  };
  return { text: typed.text, change };
}
