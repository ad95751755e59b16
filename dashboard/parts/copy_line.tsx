/** A text to be pasted elsewhere, with a button that copies it. @module */
import { useState } from "preact/hooks";

/** Properties of {@linkcode CopyLine}. */
export interface CopyLineProps {
  /** What it is for; the button's name. */
  readonly name: string;
  /** What is copied. */
  readonly text: string;
}

/** Milliseconds for which the button says what it did. */
const SAID_MS = 2000;

/** Draws both. */
export function CopyLine({ name, text }: CopyLineProps) {
  const [said, say] = useState("");
  return (
    <div class="copyline">
      <pre>{text}</pre>
      <button
        type="button"
        class="button"
        aria-label={`Copy: ${name}`}
        onClick={async () => {
          say(await copied(text) ? "Copied" : "Select it and copy");
          setTimeout(() => say(""), SAID_MS);
        }}
      >
        {said || "Copy"}
      </button>
      <span class="hidden" role="status">{said}</span>
    </div>
  );
}

/** Browsers have a clipboard for pages of this machine and of https only; elsewhere the old way may work. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByHand(text);
  }
}

function copiedByHand(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
