import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

type Write<D, V> = Omit<UseMutationResult<D, Error, V>, "mutateAsync">;

/**
 * A request that changes something. A second press while the first request is under way is ignored: the button is disabled only after
 * the next render, which a double click does not wait for.
 */
export function useWrite<D, V = void>(options: UseMutationOptions<D, Error, V>): Write<D, V> {
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: (...result) => {
      isUnderWay.current = false;
      return options.onSettled?.(...result);
    },
  });
  const { mutate } = mutation;
  return {
    ...mutation,
    mutate: (...request) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutate(...request);
    },
  };
}
