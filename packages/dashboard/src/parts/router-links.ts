import { Anchor, Button, NavLink } from "@mantine/core";
import { createLink } from "@tanstack/react-router";

/** A button by its looks, but a link: what it is called by screen readers, and what a middle click does. */
const AnchorButton = Button.withProps<"a">({ component: "a" });

// Links that know the pages: an address that does not exist is a type error.
export const AnchorLink = createLink(Anchor<"a">);
export const ButtonLink = createLink(AnchorButton<"a">);
export const NavigationLink = createLink(NavLink<"a">);
