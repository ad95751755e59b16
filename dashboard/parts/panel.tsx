/** The box that figures stand in. @module */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** Properties of {@linkcode Panel}. */
export interface PanelProps {
  /** Heading. */
  readonly title: string;
  /** Beside the heading, at the end of its line. */
  readonly aside?: ComponentChildren;
  /** Classes for its place in the grid. */
  readonly place?: string;
  /** What stands in it. */
  readonly children: ComponentChildren;
}

/** Draws a region with a heading of the second level. */
export function Panel({ title, aside, place = "", children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${place}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** What is not for every reader of the page. */
export function OnlyHere({ what }: { readonly what: string }) {
  return (
    <div class="notice">
      <h2>Only on this machine</h2>
      <p>
        {what}{" "}
        shown to a browser on the machine that the proxy runs on, at an address
        such as 127.0.0.1.
      </p>
    </div>
  );
}

/** While the first answer is under way. */
export function Waiting() {
  return <p class="soft">Loading …</p>;
}
