import { Anchor, Button } from "@mantine/core";
import { createLink } from "@tanstack/react-router";

/** A link that looks like a button, for screen readers and middle clicks. */
const AnchorButton = Button.withProps<"a">({ component: "a" });

// Links with typed routes: an address that does not exist is a type error.
export const AnchorLink = createLink(Anchor<"a">);
export const ButtonLink = createLink(AnchorButton<"a">);
