/** Going on to older rows, and back to the newest. @module */

/** Properties of {@linkcode Pages}. */
export interface PagesProps<Place> {
  /** Whether older rows are shown. */
  readonly isOld: boolean;
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: Place | undefined;
  /** Called with the page that is wanted; `undefined` for the newest. */
  readonly onTurn: (place: Place | undefined) => void;
}

/** Draws the buttons; nothing where there is one page. */
export function Pages<Place>({ isOld, next, onTurn }: PagesProps<Place>) {
  if (!isOld && next === undefined) return null;
  return (
    <p class="pages">
      {isOld && (
        <button
          type="button"
          class="button"
          onClick={() => onTurn(undefined)}
        >
          Newest
        </button>
      )}
      {next !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => onTurn(next)}
        >
          Older
        </button>
      )}
    </p>
  );
}
