/** An original and its form in one text. @module */
import { useMemo, useState } from "preact/hooks";
import { count } from "../format.ts";
import { type Piece, wordDiff } from "../word_diff.ts";

/** Properties of {@linkcode DiffView}. */
export interface DiffViewProps {
  /** What was received. */
  readonly original: string;
  /** What was sent. */
  readonly form: string;
}

/** Lines of a piece that are shown at each of its ends. */
const AROUND = 4;
/** Lines that are worth leaving out. */
const FEWEST = 4;

/** Draws the difference; long pieces are shortened until somebody wants all of it. */
export function DiffView({ original, form }: DiffViewProps) {
  const [isWhole, setWhole] = useState(false);
  const pieces = useMemo(() => wordDiff(original, form), [original, form]);
  if (pieces === undefined) {
    return (
      <p class="note">
        The texts differ too much to be compared word by word here. What was
        sent:
      </p>
    );
  }
  const shown: readonly Shown[] = isWhole ? pieces : pieces.flatMap(shortened);
  const isShort = shown.length > pieces.length;
  return (
    <>
      <pre
        class="diff"
        tabIndex={0}
        role="group"
        aria-label="Difference between original and what was sent"
      >
        {shown.map((piece, i) => <Marked key={i} piece={piece} />)}
      </pre>
      <p class="note">
        <ins class="mark">only in what was sent</ins>{" "}
        <del class="mark">only in the original</del>{" "}
        {(isShort || isWhole) && (
          <button
            type="button"
            class="button plain"
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? "Shorten long pieces" : "Show all of it"}
          </button>
        )}
      </p>
    </>
  );
}

function Marked({ piece: { kind, text } }: { piece: Shown }) {
  if (kind === "added") return <ins>{text}</ins>;
  if (kind === "removed") return <del>{text}</del>;
  return <span class={kind}>{text}</span>;
}

/** A piece, or what is said in the place of lines that are not shown. */
interface Shown {
  readonly kind: Piece["kind"] | "gap";
  readonly text: string;
}

function shortened(piece: Piece): readonly Shown[] {
  if (piece.kind === "added") return [piece];
  const lines = piece.text.split("\n");
  const left = lines.length - 2 * AROUND;
  if (left < FEWEST) return [piece];
  const { kind } = piece;
  return [
    { kind, text: `${lines.slice(0, AROUND).join("\n")}\n` },
    { kind: "gap", text: `${count(left)} ${kind} lines, not shown here` },
    { kind, text: lines.slice(-AROUND).join("\n") },
  ];
}
