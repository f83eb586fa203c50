import { Skeleton, Text } from "@mantine/core";
import { type ComponentType, useEffect, useState } from "react";
import type { ChartCanvasProps, ChartLayout } from "./chart-canvas.tsx";
import type { ChartData } from "./chart-data.ts";

interface Props {
  readonly data: ChartData;
  readonly layout: ChartLayout;
  /** What it shows, for screen readers. */
  readonly label: string;
}

type Canvas = ComponentType<ChartCanvasProps>;

let loaded: Canvas | undefined;

/** The height that is reserved for a chart, also before its code is loaded: nothing below may move. */
export function chartHeight({ data, layout }: Pick<Props, "data" | "layout">): number {
  return layout === "over_time" ? 220 : 48 + 36 * data.rows.length;
}

/** A chart. Its library is loaded when the first one is on the page. */
export function Chart({ data, layout, label }: Props) {
  const { canvas: Canvas, isFailed } = useCanvas();
  const height = chartHeight({ data, layout });
  if (isFailed) {
    return (
      <Text size="sm" role="status">
        The chart could not be loaded. The table below has its numbers.
      </Text>
    );
  }
  if (Canvas === undefined) return <Skeleton h={height} role="status" aria-label="Loading" />;
  return (
    <div role="img" aria-label={label} style={{ height }}>
      <Canvas data={data} layout={layout} height={height} />
    </div>
  );
}

function useCanvas(): { readonly canvas: Canvas | undefined; readonly isFailed: boolean } {
  const [canvas, setCanvas] = useState<Canvas | undefined>(() => loaded);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded !== undefined) return;
    let isGone = false;
    import("./chart-canvas.tsx").then(
      ({ ChartCanvas }) => {
        loaded = ChartCanvas;
        if (!isGone) setCanvas(() => ChartCanvas);
      },
      () => {
        if (!isGone) setFailed(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return { canvas, isFailed };
}
