import { Alert, Button, Group, Indicator, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { invalidTexts, withoutText } from "../../editing/draft.ts";
import { EditNotices } from "../../editing/edit-notices.tsx";
import type { EditTarget } from "../../editing/edit-target.ts";
import { EditorProvider } from "../../editing/editor-context.ts";
import { focusField } from "../../editing/focus-field.ts";
import { RevisionHistory } from "../../editing/history/revision-history.tsx";
import { SaveBar } from "../../editing/save-bar.tsx";
import { useEditing } from "../../editing/use-editing.ts";
import { AgentTab } from "./agent-tab.tsx";
import { EDITOR_TABS, type EditorTab, fieldName, TAB_NAMES, tabOf, typeOf } from "./blueprint-fields.ts";
import { normalBlueprint } from "./blueprint-problems.ts";
import { HooksTab } from "./hooks-tab.tsx";
import { JsonTab } from "./json-tab.tsx";
import { SchemasTab } from "./schemas-tab.tsx";

interface Props {
  readonly edited: EditTarget;
  readonly mayChange: boolean;
}

/** Edits a blueprint as a form and as JSON; both are views of one draft. */
export function AgentEditor({ edited, mayChange }: Props) {
  const editing = useEditing(edited, mayChange);
  const { draft, problems, refusal, showsMissing } = editing;
  const isNew = edited.saved === undefined;
  // What does not exist has no history, and its hooks cannot be tried.
  const exists = !isNew && !edited.isDeleted;
  const tabs = EDITOR_TABS.filter((each) => exists || each !== "history");
  const [tab, setTab] = useTab(tabs);
  const type = typeOf(draft.value);
  const isJsonBroken = invalidTexts(draft).some(({ path }) => path === "");
  // The form of a saved agent has no field for the name.
  const tabFor = (path: string) => (path === "name" && !isNew ? "json" : tabOf(path, type));
  const shown = problems.filter(({ isMissing }) => !isMissing || showsMissing || editing.isEdited);
  const marked = new Set(
    [...shown, ...(refusal === undefined ? [] : [refusal])].map(({ path }) => path && tabFor(path)),
  );
  if (isJsonBroken) marked.add("json");
  const goTo = (path: string) => {
    const at = tabFor(path);
    setTab(at);
    // The field exists only after the tab was rendered.
    setTimeout(() => focusField(at === "json" ? "" : path));
  };
  const isReadOnly = !mayChange || (isJsonBroken && tab !== "json");
  return (
    <EditorProvider value={{ draft, change: editing.change, problems, refusal, showsMissing, isReadOnly }}>
      <EditNotices editing={editing} edited={edited} mayChange={mayChange} />
      <Tabs value={tab} onChange={(chosen) => setTab(chosen as EditorTab)} keepMounted={false}>
        <Tabs.List mb="lg">
          {tabs.map((each) => (
            <Tabs.Tab
              key={each}
              value={each}
              rightSection={marked.has(each) && mayChange ? <Mark /> : undefined}
            >
              {TAB_NAMES[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {isJsonBroken && tab !== "json" && (
          <Alert color="yellow" variant="outline" mb="md" title="The JSON is not valid" role="status">
            The form shows the last valid version. Your text is kept.
            <Group gap="xs" mt="xs">
              <Button size="xs" onClick={() => setTab("json")}>
                Continue editing the JSON
              </Button>
              <Button
                size="xs"
                variant="default"
                onClick={() => editing.change((now) => withoutText(now, ""))}
              >
                Discard the text
              </Button>
            </Group>
          </Alert>
        )}
        <Tabs.Panel value="agent">
          <AgentTab isNew={isNew} />
        </Tabs.Panel>
        <Tabs.Panel value="schemas">
          <SchemasTab />
        </Tabs.Panel>
        <Tabs.Panel value="hooks">
          <HooksTab agent={exists ? String(draft.value.name) : undefined} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab />
        </Tabs.Panel>
        {exists && (
          <Tabs.Panel value="history">
            <RevisionHistory
              subject={{ kind: "agents", name: String(draft.value.name), normal: normalBlueprint }}
              isEdited={editing.isEdited}
              onRestored={() => setTab("agent")}
            />
          </Tabs.Panel>
        )}
      </Tabs>
      {mayChange && (
        <SaveBar editing={editing} isNew={isNew} fieldName={fieldName} goTo={({ path }) => goTo(path)} />
      )}
    </EditorProvider>
  );
}

function Mark() {
  return (
    <Indicator
      inline
      processing={false}
      color="red"
      size={8}
      position="middle-center"
      w={10}
      h={10}
      aria-label="has errors"
      role="img"
    >
      <span />
    </Indicator>
  );
}

/** The open tab is part of the address, so that it can be linked to. */
function useTab(tabs: readonly EditorTab[]): [EditorTab, (tab: EditorTab) => void] {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const known = tabs.find((each) => each === tab) ?? "agent";
  const open = (next: EditorTab) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, tab: next === "agent" ? undefined : next }),
      replace: true,
    });
  return [known, open];
}
