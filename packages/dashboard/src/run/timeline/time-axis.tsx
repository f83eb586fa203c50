import type { Tick } from "./time-scale.ts";
import classes from "./timeline.module.css";

/** The time axis, relative to the creation of the run. */
export function TimeAxis({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.track}>
        {ticks.map(({ left, text }) => (
          <span
            key={text}
            className={classes.tick}
            data-end={left > 92 || undefined}
            style={{ left: `${left}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The grid lines behind the bars. */
export function TimeLines({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <div className={classes.lines} aria-hidden>
      <div className={classes.track}>
        {ticks.map(({ left, text }) => (
          <span key={text} className={classes.line} style={{ left: `${left}%` }} />
        ))}
      </div>
    </div>
  );
}
