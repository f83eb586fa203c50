/**
 * The advisory lock that every connection of a coordinator shares for as long as it lives: it shows that its transactions may write
 * events. Arbitrary numbers that no other program on the same database should use: "tent" and "writ", as ASCII.
 */
export const WRITER_MARK = { group: 1952804468, key: 2004969844 } as const;

export const MARK_WRITER = `select pg_advisory_lock_shared(${WRITER_MARK.group}, ${WRITER_MARK.key})`;
