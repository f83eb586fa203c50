import { fieldId } from "./editor-context.ts";

const CONTROLS = "input:not([type=hidden]), textarea, button";

/** Focuses a field, or the nearest enclosing field if the path leads into a value that is edited as a whole. */
export function focusField(path: string): void {
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length--) {
    const field = document.getElementById(fieldId(steps.slice(0, length).join(".")));
    if (field === null) continue;
    const control = field.matches(CONTROLS) ? field : field.querySelector<HTMLElement>(CONTROLS);
    (control ?? field).focus();
    (control ?? field).scrollIntoView({ block: "center" });
    return;
  }
}
