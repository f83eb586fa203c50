type Handle = (context: never) => unknown;

/** The index of the hook that ended a quiet run. Written last and read first, so that nested runs do not interfere. */
export const quietStop = { index: 0 };

/**
 * Calls hooks one after another until one answers something. Returns that answer, and throws what a hook throws,
 * with its index in `quietStop`; returns `undefined` when all were quiet.
 */
export type QuietRun = (context: never) => unknown;

/**
 * Writes out a plan as one straight function. In a loop every hook has the same call site, which keeps the
 * JavaScript engine from inlining any of them; a call site for each makes ten hooks three times faster.
 * Where code generation is disabled, the loop is used.
 */
export function unrolled(handles: readonly Handle[]): QuietRun {
  const names = handles.map((_, index) => `h${index}`);
  const calls = handles.map(
    (_, index) => `i = ${index}; r = h${index}(c); if (r !== undefined) { s.index = i; return r; }`,
  );
  const source = `return (c) => { let i = 0, r; try { ${calls.join(" ")} } catch (e) { s.index = i; throw e; } };`;
  try {
    // Only numbers go into the source; the hooks are arguments.
    return new Function("s", ...names, source)(quietStop, ...handles) as QuietRun;
  } catch {
    return looped(handles);
  }
}

/** The same as a loop. */
export function looped(handles: readonly Handle[]): QuietRun {
  return (context) => {
    let index = 0;
    try {
      for (const handle of handles) {
        const answer = handle(context);
        if (answer !== undefined) {
          quietStop.index = index;
          return answer;
        }
        index++;
      }
    } catch (error) {
      quietStop.index = index;
      throw error;
    }
    return undefined;
  };
}
