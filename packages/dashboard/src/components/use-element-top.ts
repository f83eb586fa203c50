import { type RefObject, useLayoutEffect, useState } from "react";

/** The offset of an element from the top of the page, updated when content above it changes. */
export function useElementTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current !== null)
        setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    // Content above the element may change its size.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    for (let each = element.current?.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
