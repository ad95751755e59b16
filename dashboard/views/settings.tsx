/** The settings, as a form. @module */
import { useEffect, useState } from "preact/hooks";
import { plural } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { apply, save } from "../settings_api.ts";
import {
  changedValues,
  type Drafts,
  type Field,
  lockOf,
  type Schema,
} from "../settings_form.ts";
import { type News, NewsText } from "./settings_news.tsx";
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
      const saved = changes > 0 ? await save(values) : undefined;
      if (saved !== undefined && saved.type !== "saved") {
        return { type: "save", result: saved };
      }
      const result = await apply();
      await onSaved();
      setDrafts({});
      return { type: "apply", result, notes: saved?.notes ?? [] };
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
          <NewsText news={news} changes={changes} fields={schema.fields} />
        </div>
        <div class="savebar-buttons">
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
            class="button"
            disabled={changes === 0 || busy}
          >
            Save
          </button>
          <button
            type="button"
            class="button primary"
            disabled={busy}
            onClick={onApply}
          >
            {changes > 0 ? "Save and apply" : "Apply"}
          </button>
        </div>
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
