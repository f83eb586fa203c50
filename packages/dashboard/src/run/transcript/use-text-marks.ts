import { type RefObject, useEffect } from "react";

const NAME = "transcript-found";

/**
 * Marks a text, given in lower case, wherever it is visible in an element, also across bold and code. Marks do not change the document, so they
 * do not disturb what renders it.
 */
export function useTextMarks(box: RefObject<HTMLElement | null>, sought: string): void {
  useEffect(() => {
    const element = box.current;
    // Older browsers show what was found, but do not mark it.
    if (element === null || sought === "" || CSS.highlights === undefined) return;
    const mark = () => CSS.highlights.set(NAME, new Highlight(...findRanges(element, sought)));
    mark();
    // Rows come and go while the list is scrolled.
    const observer = new MutationObserver(mark);
    observer.observe(element, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [box, sought]);
}

function findRanges(element: HTMLElement, sought: string): readonly Range[] {
  return [...element.querySelectorAll("article")].flatMap((article) => rangesWithin(article, sought));
}

interface Part {
  readonly node: Text;
  readonly from: number;
}

function rangesWithin(article: HTMLElement, sought: string): readonly Range[] {
  const parts: Part[] = [];
  let text = "";
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    parts.push({ node: node as Text, from: text.length });
    text += node.textContent ?? "";
  }
  const lower = text.toLowerCase();
  // Some letters become longer in lower case, which would move all marks behind them.
  const searched = lower.length === text.length ? lower : text;
  const ranges: Range[] = [];
  for (let at = searched.indexOf(sought); at >= 0; at = searched.indexOf(sought, at + sought.length)) {
    const range = document.createRange();
    const [start, end] = [partAt(parts, at), partAt(parts, at + sought.length - 1)];
    if (start === undefined || end === undefined) break;
    range.setStart(start.node, at - start.from);
    range.setEnd(end.node, at + sought.length - end.from);
    ranges.push(range);
  }
  return ranges;
}

function partAt(parts: readonly Part[], offset: number): Part | undefined {
  return parts.findLast(({ from }) => from <= offset);
}
