import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

type Write<D, V> = Omit<UseMutationResult<D, Error, V>, "mutateAsync">;

/**
 * A request that changes something. A second press during the first request is ignored: the button is disabled only after the
 * next render, and a double click is faster.
 */
export function useWrite<D, V = void>(options: UseMutationOptions<D, Error, V>): Write<D, V> {
  const isRunning = useRef(false);
  const mutation = useMutation({
    ...options,
    onSettled: (...result) => {
      isRunning.current = false;
      return options.onSettled?.(...result);
    },
  });
  const { mutate } = mutation;
  return {
    ...mutation,
    mutate: (...request) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(...request);
    },
  };
}
