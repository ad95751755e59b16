/** One of a few words: radio buttons in a row. @module */
import { useId } from "preact/hooks";

/** Properties of {@linkcode Choice}. */
export interface ChoiceProps<T extends string> {
  /** What is chosen; read out, not shown. */
  readonly label: string;
  /** Value and text of each option. */
  readonly options: readonly (readonly [T, string])[];
  /** The chosen one. */
  readonly value: T;
  /** Called with another one. */
  readonly onChange: (value: T) => void;
}

/** Draws the options; arrow keys move between them. */
export function Choice<T extends string>(
  { label, options, value, onChange }: ChoiceProps<T>,
) {
  const name = useId();
  return (
    <fieldset>
      <legend class="hidden">{label}</legend>
      <div class="choice">
        {options.map(([option, text]) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
