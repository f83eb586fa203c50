import { useEffect, useMemo, useState } from "react";
import { visibleText } from "../components/visible-text.ts";
import classes from "./markdown.module.css";

type Render = typeof import("./render-markdown.ts")["renderMarkdown"];

let loaded: Render | undefined;

/** The text of an agent, formatted as it was meant. The parser is loaded when it is first needed; until then the text is shown as it is. */
export function Markdown({ text }: { readonly text: string }) {
  const render = useRender();
  const formatted = useMemo(() => render?.(text), [render, text]);
  return formatted === undefined ? (
    <div className={classes.plain}>{visibleText(text)}</div>
  ) : (
    <div className={classes.markdown}>{formatted}</div>
  );
}

function useRender(): Render | undefined {
  const [render, setRender] = useState(() => loaded);
  useEffect(() => {
    if (render !== undefined) return;
    let isGone = false;
    const load = async () => {
      loaded ??= (await import("./render-markdown.ts")).renderMarkdown;
      if (!isGone) setRender(() => loaded);
    };
    // Without the parser the text can still be read.
    load().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [render]);
  return render;
}
