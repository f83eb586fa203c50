import { AgentLink } from "../parts/links.tsx";
import { AnchorLink } from "../parts/router-links.ts";

/** Who uses something, each a link: agents, and named hooks as `hook audit`. */
export function UsedBy({ users }: { readonly users: readonly string[] }) {
  return users.map((user, index) => {
    const [, hook] = /^hook (.+)$/.exec(user) ?? [];
    return (
      <span key={user}>
        {index > 0 && ", "}
        {hook === undefined ? (
          <AgentLink name={user} inherit underline="always" />
        ) : (
          <>
            the hook{" "}
            <AnchorLink to="/hooks/$name" params={{ name: hook }} inherit underline="always">
              {hook}
            </AnchorLink>
          </>
        )}
      </span>
    );
  });
}
