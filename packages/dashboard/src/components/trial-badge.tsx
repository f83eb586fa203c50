import { Badge } from "@mantine/core";

interface Props {
  readonly className?: string | undefined;
  readonly label?: string;
}

/** Marks a run that a person started to try a hook. */
export function TrialBadge({ className, label = "trial" }: Props) {
  return (
    <Badge
      variant="default"
      radius="sm"
      tt="none"
      fw={500}
      title="A person started it to try a hook"
      {...(className !== undefined && { className })}
    >
      {label}
    </Badge>
  );
}
