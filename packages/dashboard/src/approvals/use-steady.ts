import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type CardPosition, Steadiness } from "./steadiness.ts";

/** How often the positions of cards are compared, in addition to every press. */
const SAMPLE_MS = 100;

export interface Steady {
  /** False while presses do not count. */
  readonly isSteady: boolean;
  /** Whether a press that arrives now counts. */
  readonly accepts: () => boolean;
  /** The buttons of the card have changed. */
  readonly disturb: () => void;
}

/** Watches a card: a press counts only if the card was steady when it began and when it ended. */
export function useSteady<E extends HTMLElement>() {
  const card = useRef<E>(null);
  const [watch] = useState(() => new Steadiness());
  const [isSteady, setSteady] = useState(false);
  const wasSteadyAtPress = useRef(true);
  const sample = useCallback((): boolean => {
    const now = performance.now();
    if (card.current !== null) watch.observe(readPosition(card.current), now);
    return watch.isSteady(now);
  }, [watch]);
  useLayoutEffect(() => {
    sample();
    const timer = setInterval(() => setSteady(sample()), SAMPLE_MS);
    return () => clearInterval(timer);
  }, [sample]);
  // Another card may have been rendered above this one.
  useEffect(() => {
    if (!sample()) setSteady(false);
  });
  const disturb = useCallback(() => {
    watch.disturb(performance.now());
    setSteady(false);
  }, [watch]);
  const accepts = useCallback(() => {
    const wasSteady = wasSteadyAtPress.current;
    wasSteadyAtPress.current = true;
    return sample() && wasSteady;
  }, [sample]);
  return {
    card,
    steady: { isSteady, accepts, disturb } satisfies Steady,
    /** For the card: they see every press before its buttons do. */
    presses: {
      onPointerDownCapture() {
        wasSteadyAtPress.current = sample();
      },
      onKeyDownCapture(event: KeyboardEvent) {
        // A key that is held down repeats the press of an earlier moment.
        wasSteadyAtPress.current = sample() && !event.repeat;
      },
    },
  };
}

function readPosition(element: HTMLElement): CardPosition {
  const { left, top } = element.getBoundingClientRect();
  return { left, top, scrolled: window.scrollY, height: document.documentElement.scrollHeight };
}
