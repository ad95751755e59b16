/** What the colours of a chart mean. @module */
import type { Fill } from "./chart_marks.tsx";

/** Properties of {@linkcode Legend}. */
export interface LegendProps {
  /** In the order of the chart. */
  readonly rows: readonly {
    /** What it is. */
    readonly name: string;
    /** Its colour, or the mark of what is missing. */
    readonly fill: Fill | "missing";
    /** Its sum, or what it means. */
    readonly value: string;
    /** What else is to be said. */
    readonly note?: string;
  }[];
}

/** Draws a line for each. */
export function Legend({ rows }: LegendProps) {
  return (
    <ul class="legend series">
      {rows.map(({ name, fill, value, note }) => (
        <li key={name}>
          <i class={`fill-${fill}`} aria-hidden="true" />
          <span>
            {name}
            {note && <span class="under soft">{note}</span>}
          </span>
          <span class="num">{value}</span>
        </li>
      ))}
    </ul>
  );
}
