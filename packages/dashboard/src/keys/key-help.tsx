import { Kbd, Modal, Table } from "@mantine/core";

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [["/"], "Go to the search of the page"],
  [["Ctrl", "K"], "Jump to a page, an agent, a hook or a run"],
  [["?"], "Show these keys"],
  [["↑", "↓"], "Go to the list, and move between its rows"],
  [["Enter"], "Open the row"],
  [["Space"], "Select the row, with Shift all rows from the last one"],
  [["+", "−", "0"], "Zoom the timeline, show all of it"],
  [["F"], "Fit the work into the timeline"],
  [["←", "→"], "Move a zoomed timeline"],
  [["Esc"], "Close what is open"],
];

/** The list of keys. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keys" closeButtonProps={{ "aria-label": "Close" }}>
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Th scope="row" w={110} fw={400}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
