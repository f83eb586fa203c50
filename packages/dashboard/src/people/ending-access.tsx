import type { TokenRecord } from "@tenterhook/protocol/runs";
import { belowText } from "./access-rows.ts";

/** How many of those who lose their access are named. */
const MAX_NAMED = 5;

/** Says whose access ends with another one: `1 token and 1 person end too: ana, build.` */
export function EndingAccess({ below }: { readonly below: readonly TokenRecord[] }) {
  const more = below.length - MAX_NAMED;
  return (
    <>
      {belowText(below)} made with it {below.length === 1 ? "ends" : "end"} too:{" "}
      {below.slice(0, MAX_NAMED).map(({ token_id, name }, index) => (
        <span key={token_id} style={{ overflowWrap: "anywhere" }}>
          {index > 0 && ", "}
          <bdi>{name}</bdi>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
