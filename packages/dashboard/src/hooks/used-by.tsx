import { AgentLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";

/** Links to the users: agents, and named hooks, which are given as `hook audit`. */
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
            <AnchorLink
              to="/hooks/$name"
              params={{ name: hook }}
              inherit
              underline="always"
              style={{ overflowWrap: "anywhere" }}
            >
              {hook}
            </AnchorLink>
          </>
        )}
      </span>
    );
  });
}
