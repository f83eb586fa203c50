import { useLayoutEffect } from "react";

export interface KeyActions {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

/** The keys that work on every page. Those without Ctrl do nothing while the user types. */
export function useKeys({ onPalette, onHelp }: KeyActions): void {
  // Before the page is painted, so that a key works as soon as the page is seen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey) return;
      if (entersList(event) && focusRow()) {
        event.preventDefault();
        return;
      }
      if (isTyping(event.target)) return;
      if (event.key === "/" && focusSearch()) event.preventDefault();
      if (event.key === "?") {
        event.preventDefault();
        onHelp();
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onPalette, onHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

const SEARCH_FIELD = "main search input[type=search], main input[type=search]";

/** The arrow keys enter the list of a page while nothing has the focus, and from its search field. */
function entersList({ key, target, shiftKey }: KeyboardEvent): boolean {
  if (shiftKey || !(target instanceof HTMLElement)) return false;
  const isNowhere = target === document.body || target.id === "content";
  return (
    (key === "ArrowDown" && (isNowhere || target.matches(SEARCH_FIELD))) || (key === "ArrowUp" && isNowhere)
  );
}

/** The row of the list that Tab leads to, if the page has a list. */
function focusRow(): boolean {
  const link = document.querySelector<HTMLElement>("main [data-list] a:not([tabindex='-1'])");
  link?.focus();
  return link !== null;
}

/** The search field of the page, if it has one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
  field?.focus();
  field?.select();
  return field !== null;
}
