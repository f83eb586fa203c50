import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconDownload, IconLink } from "@tabler/icons-react";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { useWrite } from "../api/use-write.ts";
import { copyText } from "../components/copy-text.ts";
import { errorMessage } from "../components/error-message.ts";
import { type RunFilters, runsQuery, sinceTime } from "./run-filters.ts";
import { runsCsv } from "./runs-csv.ts";

/** The most runs of a download; larger lists are read through the API. */
const MAX_RUNS = 10_000;
const PAGE_SIZE = 200;

/** Copies the address of the list, or downloads what it shows. */
export function ListMenu({ filters }: { readonly filters: RunFilters }) {
  const download = useWrite({
    mutationFn: async (format: "json" | "csv") => {
      const runs = await allRuns(filters);
      if (format === "csv") save("runs.csv", "text/csv", runsCsv(runs));
      else save("runs.json", "application/json", `${JSON.stringify(runs, undefined, 2)}\n`);
      return runs.length;
    },
    onSuccess: (count) => {
      if (count < MAX_RUNS) return;
      notifications.show({
        color: "gray",
        title: `The newest ${MAX_RUNS.toLocaleString("en")} runs`,
        message: "The list has more. Narrow the filters, or read GET /runs page by page.",
      });
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "Nothing was downloaded", message: errorMessage(error) }),
  });
  const copyAddress = async () => {
    const { href } = location;
    notifications.show(
      (await copyText(href))
        ? { color: "green", title: "Address copied", message: href }
        : { color: "red", title: "Not copied", message: `Copy it from here: ${href}` },
    );
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          px="sm"
          loading={download.isPending}
          leftSection={<IconDots size={16} aria-hidden />}
        >
          Share
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void copyAddress()}>
          Copy the address with its filters
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download.mutate("csv")}
        >
          Download as CSV
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download.mutate("json")}
        >
          Download as JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function allRuns(filters: RunFilters): Promise<RunSummary[]> {
  const filter = runsQuery(filters);
  const from = sinceTime(filters.since, Date.now()) ?? filter.from;
  const runs: RunSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("GET /runs", { query: { ...filter, from, limit: PAGE_SIZE, cursor } });
    runs.push(...page.runs);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && runs.length < MAX_RUNS);
  return runs;
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
