type Handle = (context: never) => unknown;

/** Where a quiet run was when a hook answered or threw. Written last and read first, so nesting cannot mix them up. */
export const quietStop = { index: 0 };

/**
 * Calls hooks one after another until one answers something. Returns that answer, and throws what a hook throws,
 * with its place in `quietStop`; returns `undefined` when all were quiet.
 */
export type QuietRun = (context: never) => unknown;

/**
 * Writes out a plan as one straight function. In a loop every hook is called from the same place, which keeps the
 * JavaScript engine from inlining any of them; each call having its own place makes ten hooks three times faster.
 * Where code generation is switched off, the loop does.
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
