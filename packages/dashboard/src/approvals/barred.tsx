import { Alert } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import { type ApprovalBar, describeBar } from "@tenterhook/protocol/runs";

/** Why a user who may decide other approvals sees this one without buttons. */
export function Barred({ bar }: { readonly bar: ApprovalBar }) {
  const { detail, hint } = describeBar(bar);
  return (
    <Alert color="yellow" variant="light" icon={<IconUserOff aria-hidden />} title={sentence(detail)}>
      {hint}
    </Alert>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
