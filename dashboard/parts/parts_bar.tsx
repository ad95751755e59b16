/** A whole and its parts: a bar, and a list that says the same in figures. @module */
import { count, share } from "../format.ts";

/** One part. */
export interface Part {
  /** What it is. */
  readonly name: string;
  /** How much. */
  readonly value: number;
  /** Colour. */
  readonly fill: "accent" | "second" | "third" | "rest" | "bad";
}

/** Properties of {@linkcode PartsBar}. */
export interface PartsBarProps {
  /** In the order of the bar; those without a value stand in the list only. */
  readonly parts: readonly Part[];
  /** A value as text. */
  readonly show?: (value: number) => string;
  /** A value's share as text. */
  readonly shareOf?: (value: number, whole: number) => string;
}

/** Draws both. The bar is for eyes only. */
export function PartsBar(
  { parts, show = count, shareOf = share }: PartsBarProps,
) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <>
      <div class="parts" aria-hidden="true">
        {parts.filter(({ value }) => value > 0).map(({ name, value, fill }) => (
          <span
            key={name}
            class={`fill-${fill}`}
            style={{ flex: `${value} 0 2px` }}
          />
        ))}
      </div>
      <ul class="legend">
        {parts.map(({ name, value, fill }) => (
          <li key={name}>
            <i class={`fill-${fill}`} aria-hidden="true" />
            <span>{name}</span>
            <span class="num">{show(value)}</span>
            <span class="share">
              {whole === 0 ? "" : shareOf(value, whole)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
