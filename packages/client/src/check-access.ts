import { TenterhookError } from "@tenterhook/internal";

// The errors of `fetch` quote address and token, and reach logs. These do not.

/** Throws `bad_client` for an address with a user or a password, which `fetch` refuses. */
export function checkAddress(url: string): void {
  if (!url.includes("@")) return;
  const { protocol = "", username = "", password = "" } = URL.canParse(url) ? new URL(url) : {};
  if (/^https?:$/.test(protocol) && username + password === "") return;
  throw new TenterhookError("bad_client", "the coordinator's address contains a user or a password.", {
    hint: "Remove what is before the @, and give an access token instead.",
  });
}

/** Throws `bad_client` for a token that cannot be sent in a header. */
export function checkToken(token: string): void {
  if (/^[\x21-\x7e]*$/.test(token)) return;
  throw new TenterhookError(
    "bad_client",
    "the access token contains a space, a line break or another character that no token has.",
    { hint: "Copy it again, as one line." },
  );
}
