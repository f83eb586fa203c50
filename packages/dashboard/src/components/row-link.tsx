import { useRouter } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";

interface RowLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick" | "id"> {
  readonly to: "/runs/$id" | "/sessions/$id" | "/agents/$name";
  /** The id or name in the address. */
  readonly id: string;
}

/** A link in a row of a long list: a plain anchor, which costs a fraction of the router's own link to render. */
export function RowLink({ to, id, ...rest }: RowLinkProps) {
  const router = useRouter();
  const open = (event: MouseEvent) => {
    // Other presses are the browser's: a new tab, a new window, a download.
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain) return;
    event.preventDefault();
    void router.navigate(to === "/agents/$name" ? { to, params: { name: id } } : { to, params: { id } });
  };
  return <a {...rest} href={to.replace(/\$\w+$/, encodeURIComponent(id))} onClick={open} />;
}
