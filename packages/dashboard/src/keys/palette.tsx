import { Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { queries } from "../api/queries.ts";
import { type Jump, jumps } from "./jumps.ts";
import classes from "./palette.module.css";

/** Runs are searched after this pause in typing. */
const TYPING_MS = 200;
const MAX_RUNS = 8;

/** Jumps to any page, agent, hook or run. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useJumps(text);
  const current = Math.min(selected, found.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-number="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const go = (jump: Jump | undefined) => {
    if (jump === undefined) return;
    onClose();
    void navigate({ href: jump.href });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setSelected((current + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      go(found[current]);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="Jump to"
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
      yOffset="12vh"
    >
      <TextInput
        aria-label="Jump to"
        placeholder="A page, an agent, a hook, or the id of a run"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${current}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div role="listbox" id={id} aria-label="Results" ref={list} className={classes.list}>
        {found.map((jump, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field, which has the focus
          <div
            key={jump.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            data-number={index}
            aria-selected={index === current}
            className={classes.option}
            onClick={() => go(jump)}
          >
            <span className={classes.name}>{jump.name}</span>
            <span className={classes.kind}>{jump.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <Text size="sm" role="status" p="xs">
          No page, agent, hook or run matches.
        </Text>
      )}
    </Modal>
  );
}

function useJumps(text: string): readonly Jump[] {
  const agents = useQuery(queries.agents());
  const hooks = useQuery(queries.hooks());
  const [search] = useDebouncedValue(text.trim(), TYPING_MS);
  const runs = useQuery({
    queryKey: ["runs", "palette", search],
    queryFn: ({ signal }) => call("GET /runs", { query: { search, limit: MAX_RUNS }, signal }),
    enabled: search !== "",
  });
  return jumps(text, {
    agents: agents.data?.map(({ name }) => name) ?? [],
    hooks: hooks.data?.map(({ name }) => name) ?? [],
    runs: (search !== "" && runs.data?.runs) || [],
  });
}
