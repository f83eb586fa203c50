import { TextInput, type TextInputProps } from "@mantine/core";
import { useTypedText } from "./use-typed-text.ts";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  /** In the address. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field whose value is in the address. */
export function TypedInput({ value, onChange, ...rest }: Props) {
  const { text, change } = useTypedText(value, onChange);
  return <TextInput {...rest} value={text} onChange={(event) => change(event.currentTarget.value)} />;
}
