import { Anchor, Button, NavLink } from "@mantine/core";
import { createLink } from "@tanstack/react-router";

// Links that know the pages: an address that does not exist is a type error.
export const AnchorLink = createLink(Anchor<"a">);
export const ButtonLink = createLink(Button<"a">);
export const NavigationLink = createLink(NavLink<"a">);
