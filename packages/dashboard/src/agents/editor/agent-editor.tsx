import { Alert, Button, Group, Indicator, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ConflictNotice } from "../../editing/conflict-notice.tsx";
import { unreadTexts, withoutText } from "../../editing/draft.ts";
import { EditorProvider } from "../../editing/editor-context.ts";
import { focusField } from "../../editing/focus-field.ts";
import { LeaveGuard } from "../../editing/leave-guard.tsx";
import { SaveBar } from "../../editing/save-bar.tsx";
import { type Edited, useEditing } from "../../editing/use-editing.ts";
import { AgentTab } from "./agent-tab.tsx";
import { EDITOR_TABS, type EditorTab, fieldName, TAB_NAMES, tabOf, typeOf } from "./blueprint-fields.ts";
import { HooksTab } from "./hooks-tab.tsx";
import { JsonTab } from "./json-tab.tsx";
import { SchemasTab } from "./schemas-tab.tsx";

interface Props {
  readonly edited: Edited;
  readonly mayChange: boolean;
}

/** A blueprint, as a form and as JSON, which are two views of one draft. */
export function AgentEditor({ edited, mayChange }: Props) {
  const editing = useEditing(edited);
  const { draft, problems, refusal, hasTried } = editing;
  const [tab, setTab] = useTab();
  const isNew = edited.saved === undefined;
  const type = typeOf(draft.value);
  const isJsonBroken = unreadTexts(draft).some(({ path }) => path === "");
  // The name of an agent that is saved is in no form.
  const placeOf = (path: string) => (path === "name" && !isNew ? "json" : tabOf(path, type));
  const told = problems.filter(({ isMissing }) => !isMissing || hasTried || editing.isEdited);
  const marked = new Set(
    [...told, ...(refusal === undefined ? [] : [refusal])].map(({ path }) => path && placeOf(path)),
  );
  if (isJsonBroken) marked.add("json");
  const goTo = (path: string) => {
    const at = placeOf(path);
    setTab(at);
    // The tab must be there before its field can be found.
    setTimeout(() => focusField(at === "json" ? "" : path));
  };
  const isReadOnly = !mayChange || (isJsonBroken && tab !== "json");
  return (
    <EditorProvider value={{ draft, change: editing.change, problems, refusal, hasTried, isReadOnly }}>
      <LeaveGuard isEdited={editing.isEdited && mayChange} isSavedNow={editing.isSavedNow} />
      <ConflictNotice editing={editing} normal={edited.normal} />
      <Tabs value={tab} onChange={(chosen) => setTab(chosen as EditorTab)} keepMounted={false}>
        <Tabs.List mb="lg">
          {EDITOR_TABS.map((each) => (
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
          <Alert color="yellow" variant="outline" mb="md" title="The JSON cannot be read yet" role="status">
            The form shows what it was before. Nothing that you typed is lost.
            <Group gap="xs" mt="xs">
              <Button size="xs" onClick={() => setTab("json")}>
                Go on with the JSON
              </Button>
              <Button
                size="xs"
                variant="default"
                onClick={() => editing.change((now) => withoutText(now, ""))}
              >
                Discard what was typed
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
          <HooksTab />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab />
        </Tabs.Panel>
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
      aria-label="has a problem"
      role="img"
    >
      <span />
    </Indicator>
  );
}

/** Which tab is open stands in the address, so that it can be linked to. */
function useTab(): [EditorTab, (tab: EditorTab) => void] {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const known = EDITOR_TABS.find((each) => each === tab) ?? "agent";
  const open = (next: EditorTab) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, tab: next === "agent" ? undefined : next }),
      replace: true,
    });
  return [known, open];
}
