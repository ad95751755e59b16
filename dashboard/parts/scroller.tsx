/** A box for what may be wider than its place: it says so, and to which side more is. @module */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Properties of {@linkcode Scroller}. */
export interface ScrollerProps {
  /** What stands in it, for those who do not see it. */
  readonly label: string;
  /** Usually one table. */
  readonly children: ComponentChildren;
}

/** What of the content is out of sight. */
interface Hidden {
  readonly before: boolean;
  readonly behind: boolean;
  readonly below: boolean;
}

const NOTHING: Hidden = { before: false, behind: false, below: false };

/** Pixels that rounding may hide. */
const SLACK = 2;

/** Draws the box; the keyboard stops at it only where there is something to scroll. */
export function Scroller({ label, children }: ScrollerProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState(NOTHING);
  const look = () => setHidden((last) => same(last, hiddenIn(ref.current)));
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(look);
    observer.observe(ref.current);
    for (const child of ref.current.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const isWide = hidden.before || hidden.behind;
  return (
    <>
      <div
        class="scroller"
        data-before={hidden.before || undefined}
        data-behind={hidden.behind || undefined}
      >
        <div
          ref={ref}
          class="scroll"
          tabIndex={isWide || hidden.below ? 0 : undefined}
          role="group"
          aria-label={label}
          onScroll={look}
        >
          {children}
        </div>
      </div>
      {isWide && (
        <p class="note sideways" aria-hidden="true">
          {hidden.before ? "← " : ""}More columns: scroll sideways
          {hidden.behind ? " →" : ""}
        </p>
      )}
    </>
  );
}

function hiddenIn(box: HTMLElement | null): Hidden {
  if (box === null) return NOTHING;
  const { scrollLeft, scrollWidth, clientWidth } = box;
  return {
    before: scrollLeft > SLACK,
    behind: scrollWidth - clientWidth - scrollLeft > SLACK,
    below: box.scrollHeight - box.clientHeight > SLACK,
  };
}

/** The last one when nothing is different, so that nothing is drawn anew. */
function same(last: Hidden, now: Hidden): Hidden {
  const isSame = last.before === now.before && last.behind === now.behind &&
    last.below === now.below;
  return isSame ? last : now;
}
