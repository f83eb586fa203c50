import { type RefObject, useLayoutEffect, useState } from "react";

/** How far below the beginning of the page an element is. What stands above it comes and goes. */
export function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current !== null)
        setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    // The page becomes longer or shorter by whatever comes and goes.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    for (let each = element.current?.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
