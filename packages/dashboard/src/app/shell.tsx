import {
  ActionIcon,
  Alert,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconActivity,
  IconCheckupList,
  IconFishHook,
  IconGauge,
  IconMoon,
  IconPlayerPlay,
  IconPlugConnectedX,
  IconRobot,
  IconServer2,
  IconSitemap,
  IconSun,
  IconUsers,
} from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { PermittedPage, useHome } from "../access/home.tsx";
import { useMay } from "../access/identity.ts";
import { DETAIL_PAGES, MORE_PAGES, PAGES } from "../components/pages.ts";
import { usePendingCount } from "../components/use-pending-count.ts";
import { KeyDialogs, preloadDialogs } from "../keys/key-dialogs.tsx";
import { useLiveState } from "../live/live-provider.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { preloadPages } from "./lazy-page.tsx";
import { useNotifyOfQuestions } from "./question-notifications.ts";
import classes from "./shell.module.css";

const ICONS = {
  "/overview": IconGauge,
  "/runs": IconPlayerPlay,
  "/approvals": IconCheckupList,
  "/sessions": IconSitemap,
  "/agents": IconRobot,
  "/hooks": IconFishHook,
  "/runners": IconServer2,
  "/live": IconActivity,
  "/people": IconUsers,
} as const;

/** Loading the other pages waits this long for the first one. */
const PRELOAD_MS = 1_000;

/** The frame of every page: header, navigation, and the connection banner. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const current =
    [...MORE_PAGES, ...DETAIL_PAGES].find((page) => page.to === pathname)?.from ??
    `/${pathname.split("/")[1]}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a small screen closes when the page changes
  useEffect(close, [pathname]);
  useNotifyOfQuestions();
  const home = useHome();
  const mayRead = useMay("read");
  const mayAdminister = useMay("administer");
  const pages = PAGES.filter(({ to }) =>
    to === "/approvals" ? true : to === "/people" ? mayAdminister : mayRead,
  );
  useEffect(() => {
    // After what the first page needs.
    const timer = setTimeout(() => void preloadPages().then(preloadDialogs), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "sm", sm: "lg" }}
      // An animation would move the content when the page is loaded.
      transitionDuration={0}
    >
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? "Close menu" : "Open menu"}
            />
            <img src="/favicon.svg" alt="" width={24} height={24} />
            <Text fw={700} component={Link} to={home} c="inherit" td="none">
              Tenterhook
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PendingLink />
            <ColorSchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className={classes.menu} mod={{ closed: !isOpen }}>
        <ScrollArea>
          {pages.map(({ to, label }) => {
            const Icon = ICONS[to];
            const isCurrent = to === current;
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={isCurrent}
                aria-current={isCurrent ? "page" : undefined}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={to === "/approvals" ? <PendingCount /> : undefined}
                className={classes.link}
              />
            );
          })}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        {mayRead && <KeyDialogs />}
        <PermittedPage />
      </AppShell.Main>
    </AppShell>
  );
}

/** Switches between dark and light; the default is the system's scheme. */
function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Use ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        {scheme === "dark" ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Shown while the connection for live events is lost. */
function ConnectionBanner() {
  if (useLiveState() !== "lost") return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      role="status"
      icon={<IconPlugConnectedX aria-hidden />}
      title="Reconnecting"
    >
      The coordinator does not respond. This page may be out of date; it updates itself when the connection is
      back.
    </Alert>
  );
}

/** On a small screen the number of pending approvals is in the header: the menu that has it is closed. */
function PendingLink() {
  const { count, text } = usePendingCount();
  if (count === 0) return null;
  const label = `${text} pending ${text === "1" ? "approval" : "approvals"}`;
  return (
    <Button
      component={Link}
      to="/approvals"
      hiddenFrom="sm"
      size="compact-sm"
      color="red"
      aria-label={label}
      leftSection={<IconCheckupList size={16} aria-hidden />}
    >
      {text}
    </Button>
  );
}

/** The number of pending approvals. */
function PendingCount() {
  const { count, isMore, text } = usePendingCount();
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      color="red"
      variant="filled"
      circle={count < 10 && !isMore}
      aria-label={`${text} pending`}
    >
      {text}
    </Badge>
  );
}
