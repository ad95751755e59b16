/** The sign of a row that opens. @module */

/** Draws it; it says nothing to a screen reader, the link in the row does. */
export function Chevron() {
  return (
    <svg class="chevron" viewBox="0 0 8 12" aria-hidden="true">
      <path d="M2 2l4 4-4 4" />
    </svg>
  );
}
