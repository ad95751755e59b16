/** What became of what was saved: which settings are in force, and which wait for what. @module */
import type { ComponentChildren } from "preact";
import { plural } from "../format.ts";
import type { ApplyResult, SaveResult } from "../settings_api.ts";
import { type Field, isWaiting, waitsFor } from "../settings_form.ts";

/** What was last done. */
export type News =
  | { readonly type: "save"; readonly result: SaveResult }
  | {
    readonly type: "apply";
    readonly result: ApplyResult;
    /** What the user should be told of what was saved before. */
    readonly notes: readonly string[];
  };

/** Properties of {@linkcode NewsText}. */
export interface NewsTextProps {
  /** `undefined` before anything was done. */
  readonly news: News | undefined;
  /** Fields that would be changed by saving. */
  readonly changes: number;
  /** All fields, as they are now. */
  readonly fields: readonly Field[];
}

/** Draws the line beside the buttons. */
export function NewsText({ news, changes, fields }: NewsTextProps) {
  if (news?.type === "save" && news.result.type === "invalid") {
    const wrong = Object.keys(news.result.errors).length;
    return (
      <p class="error">
        Nothing was saved: {plural(wrong, "value")} cannot be used.
      </p>
    );
  }
  if (news?.type === "save" && news.result.type === "failed") {
    return <p class="error">Nothing was saved: {news.result.message}</p>;
  }
  if (changes > 0) return <p>{plural(changes, "change")} not saved</p>;
  if (news?.type === "save") {
    return <Saved result={news.result} fields={fields} />;
  }
  return news === undefined
    ? <Unapplied fields={fields} />
    : <Applied news={news} fields={fields} />;
}

function Saved({ result, fields }: {
  result: SaveResult;
  fields: readonly Field[];
}) {
  if (result.type !== "saved") return null;
  const { changed, notes } = result;
  const saved = fields.filter(({ key }) => changed.includes(key));
  // Of a secret nobody sees whether what is stored is what is in force.
  const waiting = saved.filter((field) => field.secret || isWaiting(field));
  const inForce = saved.filter((field) => !waiting.includes(field));
  return (
    <>
      <p>
        {changed.length === 0
          ? "Nothing new to save."
          : waiting.length === 0
          ? "Saved."
          : "Saved, but not in force yet."}{" "}
        <Named
          fields={inForce}
          are="In force as before"
        />
      </p>
      <WaitingList fields={waiting} />
      <Notes notes={notes} />
    </>
  );
}

function Applied({ news, fields }: {
  news: News & { readonly type: "apply" };
  fields: readonly Field[];
}) {
  const { result, notes } = news;
  if (result.type === "failed") return <p class="error">{result.message}</p>;
  if (result.type === "restarting") {
    return <p>The proxy starts anew; this page goes on when it is back.</p>;
  }
  const named = (keys: readonly string[]) =>
    fields.filter(({ key }) => keys.includes(key));
  const { applied, needsRestart, command } = result;
  return (
    <>
      <p>
        {applied.length === 0
          ? "Nothing else is in force than before."
          : <Named fields={named(applied)} are="In force from now on" />}
      </p>
      {needsRestart.length > 0 && (
        <p class="waiting">
          <Named
            fields={named(needsRestart)}
            are="Waiting for the next start"
          />{" "}
          {command === undefined &&
            "Stop svc proxy (Ctrl-C) and start it again."}
        </p>
      )}
      {command !== undefined && <pre>{command}</pre>}
      <Notes notes={notes} />
    </>
  );
}

/** What is saved and not in force, whoever saved it. */
function Unapplied({ fields }: { fields: readonly Field[] }) {
  const waiting = fields.filter(isWaiting);
  if (waiting.length === 0) return <p class="soft">No changes</p>;
  return (
    <>
      <p>Some saved settings are not in force.</p>
      <WaitingList fields={waiting} />
    </>
  );
}

function WaitingList({ fields }: { fields: readonly Field[] }) {
  const on = (what: "apply" | "start") =>
    fields.filter((field) => waitsFor(field) === what);
  return (
    <p class="waiting">
      <Named fields={on("apply")} are="Waiting for Apply" />{" "}
      <Named fields={on("start")} are="Waiting for the next start" />
    </p>
  );
}

/** Labels as they stand on the page. */
function Named(
  { fields, are }: { fields: readonly Field[]; are: string },
): ComponentChildren {
  if (fields.length === 0) return null;
  return `${are}: ${fields.map(({ label }) => label).join(", ")}.`;
}

function Notes({ notes }: { notes: readonly string[] }) {
  return notes.length > 0 && <p class="soft">{notes.join(" ")}</p>;
}
