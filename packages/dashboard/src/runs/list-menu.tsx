import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconDownload, IconLink } from "@tabler/icons-react";
import { useWrite } from "../api/use-write.ts";
import { copyText } from "../components/copy-text.ts";
import { errorMessage } from "../components/error-message.ts";
import { formatCount } from "../components/format-count.ts";
import { MAX_READ, readAllRuns } from "./read-all-runs.ts";
import type { RunFilters } from "./run-filters.ts";
import { runsCsv } from "./runs-csv.ts";

/** Copies the address of the list, or downloads what it shows. */
export function ListMenu({ filters }: { readonly filters: RunFilters }) {
  const download = useWrite({
    mutationFn: async (format: "json" | "csv") => {
      const runs = await readAllRuns(filters);
      if (format === "csv") save("runs.csv", "text/csv", runsCsv(runs));
      else save("runs.json", "application/json", `${JSON.stringify(runs, undefined, 2)}\n`);
      return runs.length;
    },
    onSuccess: (count) => {
      if (count < MAX_READ) return;
      notifications.show({
        color: "gray",
        title: `The newest ${formatCount(MAX_READ)} runs`,
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

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
