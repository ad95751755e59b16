/** The settings, as a form. @module */
import { useEffect, useState } from "preact/hooks";
import { plural } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import {
  apply,
  type ApplyResult,
  save,
  type SaveResult,
} from "../settings_api.ts";
import {
  changedValues,
  type Drafts,
  type Field,
  lockOf,
  type Schema,
} from "../settings_form.ts";
import { idOf, SettingField } from "./setting_field.tsx";

const SCHEMA_PATH = "/settings/schema";

type Loaded = Schema | "withheld" | "failed" | undefined;

/** Draws the section. */
export function Settings() {
  const [schema, setSchema] = useState<Loaded>();
  const load = () => loadSchema().then(setSchema);
  useEffect(() => void load(), []);
  if (schema === undefined) return <Waiting />;
  if (schema === "withheld") return <OnlyHere what="Settings are" />;
  if (schema === "failed") {
    return (
      <div class="notice bad">
        <h2>The settings could not be read</h2>
        <p>
          <button type="button" class="button" onClick={load}>Try again</button>
        </p>
      </div>
    );
  }
  return <Form schema={schema} onSaved={load} />;
}

async function loadSchema(): Promise<Loaded> {
  try {
    const response = await fetch(SCHEMA_PATH);
    if (response.status === 404 || response.status === 403) return "withheld";
    if (!response.ok) return "failed";
    const schema: Schema = await response.json();
    return schema;
  } catch {
    return "failed";
  }
}

/** What was last done, for the line above the buttons. */
type News =
  | { readonly type: "save"; readonly result: SaveResult }
  | { readonly type: "apply"; readonly result: ApplyResult };

function Form({ schema, onSaved }: {
  schema: Schema;
  onSaved: () => Promise<void>;
}) {
  const [drafts, setDrafts] = useState<Drafts>({});
  const [tier, setTier] = useState<"basic" | "all">("basic");
  const [search, setSearch] = useState("");
  const [news, setNews] = useState<News>();
  const [busy, setBusy] = useState(false);
  const errors = news?.type === "save" && news.result.type === "invalid"
    ? news.result.errors
    : {};
  const values = changedValues(schema.fields, drafts);
  const changes = Object.keys(values).length;
  const shown = schema.fields.filter((field) =>
    Object.hasOwn(values, field.key) || Object.hasOwn(errors, field.key) ||
    isShown(field, tier, search)
  );
  const run = async (work: () => Promise<News>) => {
    setBusy(true);
    setNews(await work());
    setBusy(false);
  };
  const onSave = () =>
    run(async () => {
      const result = await save(values);
      if (result.type === "saved") {
        await onSaved();
        setDrafts({});
      }
      return { type: "save", result };
    });
  const onApply = () =>
    run(async () => {
      const result = await apply();
      await onSaved();
      return { type: "apply", result };
    });
  useFocusOnFirst(errors, schema.fields);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changes > 0 && !busy) void onSave();
      }}
    >
      <div class="bar">
        <Choice
          label="Which settings"
          options={[["basic", "Basic"], ["all", "All"]]}
          value={tier}
          onChange={setTier}
        />
        <label>
          <span class="hidden">Search settings</span>
          <input
            type="text"
            placeholder="Search all settings"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <span class="soft small">{plural(shown.length, "setting")} shown</span>
      </div>
      <div class="stack">
        {schema.groups.map((group) => {
          const fields = shown.filter((field) => field.group === group)
            .toSorted((a, b) => Number(b.available) - Number(a.available));
          return fields.length > 0 && (
            <Panel key={group} title={group}>
              {fields.map((field) => (
                <SettingField
                  key={field.key}
                  field={field}
                  draft={drafts[field.key]}
                  error={errors[field.key]}
                  onDraft={(draft) =>
                    setDrafts((all) => ({ ...all, [field.key]: draft }))}
                />
              ))}
            </Panel>
          );
        })}
        {shown.length === 0 && <p class="soft">No setting is called that.</p>}
      </div>
      <div class="savebar">
        <div role="status" class="savebar-news">
          <NewsText news={news} changes={changes} />
        </div>
        <button
          type="button"
          class="button"
          disabled={changes === 0 || busy}
          onClick={() => {
            setDrafts({});
            setNews(undefined);
          }}
        >
          Discard
        </button>
        <button
          type="submit"
          class="button primary"
          disabled={changes === 0 || busy}
        >
          Save
        </button>
        <button
          type="button"
          class="button"
          disabled={changes > 0 || busy}
          onClick={onApply}
        >
          Apply
        </button>
      </div>
    </form>
  );
}

function isShown(field: Field, tier: "basic" | "all", search: string): boolean {
  const words = search.trim().toLowerCase();
  if (words === "") {
    return tier === "all" ||
      (field.tier === "basic" && field.available);
  }
  return [field.key, field.env, field.label, field.help].some((text) =>
    text.toLowerCase().includes(words)
  );
}

function useFocusOnFirst(
  errors: Readonly<Record<string, string>>,
  fields: readonly Field[],
): void {
  useEffect(() => {
    const first = fields.find((field) =>
      Object.hasOwn(errors, field.key) && lockOf(field) === undefined
    );
    if (first) document.getElementById(idOf(first.key))?.focus();
  }, [errors]);
}

function NewsText(
  { news, changes }: { news: News | undefined; changes: number },
) {
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
  if (news?.type === "save" && news.result.type === "saved") {
    const { changed, needsRestart, notes } = news.result;
    return (
      <p>
        Saved: {changed.join(", ") || "nothing new"}. {needsRestart.length > 0
          ? `Waiting for the next start: ${needsRestart.join(", ")}.`
          : "Apply makes the running proxy use it."} {notes.join(" ")}
      </p>
    );
  }
  if (news?.type === "apply") {
    const { isDone, message, command, needsRestart } = news.result;
    return (
      <>
        <p class={isDone ? "" : "error"}>{message}</p>
        {command && <pre>{command}</pre>}
        {needsRestart.length > 0 && (
          <p class="soft">
            Waiting for the next start: {needsRestart.join(", ")}
          </p>
        )}
      </>
    );
  }
  return <p class="soft">No changes</p>;
}
