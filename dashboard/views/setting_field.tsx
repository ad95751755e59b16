/** One setting: what it is, what holds, where that comes from, and its control. @module */
import {
  type Draft,
  type Field,
  initialText,
  isChange,
  isStored,
  isWaiting,
  lockOf,
  textOf,
  waitsFor,
} from "../settings_form.ts";

/** Properties of {@linkcode SettingField}. */
export interface SettingFieldProps {
  /** The setting. */
  readonly field: Field;
  /** What the user made of it; `undefined` for nothing. */
  readonly draft: Draft | undefined;
  /** What is wrong with it, as the server says. */
  readonly error: string | undefined;
  /** Called with what the user makes of it. */
  readonly onDraft: (draft: Draft) => void;
}

/** Id of the control of a setting. */
export function idOf(key: string): string {
  return `setting-${key}`;
}

/** Draws one row of the form. */
export function SettingField(props: SettingFieldProps) {
  const { field, draft, error, onDraft } = props;
  const lock = lockOf(field);
  const id = idOf(field.key);
  const isChanged = draft !== undefined && isChange(field, draft);
  const canReset = lock === undefined && isStored(field) && draft !== null;
  return (
    <div class={`setting ${isChanged ? "changed" : ""}`}>
      <div>
        <div class="name">
          <label for={id}>{field.label}</label>
          <code class="soft wrap-anywhere">{field.env}</code>
          {field.secret && <span class="badge">secret</span>}
          {!field.available && <span class="badge">not in this version</span>}
        </div>
        <p class="help" id={`${id}-help`}>{field.help}</p>
        <p class="origin">
          {field.source !== "default" && `${ORIGINS[field.source]} · `}
          Default: {shown(field, field.default)}
          {boundsText(field)}
          {field.available && field.needs_restart &&
            " · a change waits for the next start"}
        </p>
        {isWaiting(field) && (
          <p class="origin waiting">
            Saved, in force {waitsFor(field) === "start"
              ? "from the next start on"
              : "after Apply"}. Now in force: {shown(field, field.value)}
          </p>
        )}
      </div>
      <div class="control">
        <Control {...props} isLocked={lock !== undefined} />
        {error !== undefined && <p class="error" id={`${id}-error`}>{error}</p>}
        {(lock !== undefined || draft === null || canReset) && (
          <div class="row">
            <span>{draft === null ? "Will be unset" : lock}</span>
            {canReset && (
              <button
                type="button"
                class="button plain"
                onClick={() => onDraft(null)}
              >
                Use the default
                <span class="hidden">of {field.label}</span>
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

const ORIGINS = {
  flag: "From the command line",
  shell: "From the environment",
  file: "From the settings file",
  profile: "From the savings profile",
} as const;

function shown({ type }: Field, value: unknown): string {
  if (type === "bool") return value === true ? "on" : "off";
  return textOf(value) || "none";
}

function boundsText({ minimum, maximum }: Field): string {
  const low = minimum ?? undefined;
  const high = maximum ?? undefined;
  if (low !== undefined && high !== undefined) return ` · ${low} to ${high}`;
  if (low !== undefined) return ` · at least ${low}`;
  return high === undefined ? "" : ` · at most ${high}`;
}

function Control(
  { field, draft, error, onDraft, isLocked }: SettingFieldProps & {
    isLocked: boolean;
  },
) {
  const id = idOf(field.key);
  const text = draft === null
    ? textOf(field.default)
    : draft ?? initialText(field);
  const shared = {
    id,
    disabled: isLocked,
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined
      ? `${id}-help`
      : `${id}-error ${id}-help`,
  };
  switch (field.type) {
    case "bool":
      return (
        <span class="check">
          <input
            {...shared}
            type="checkbox"
            checked={text === "true"}
            onChange={({ currentTarget }) =>
              onDraft(String(currentTarget.checked))}
          />
          <span aria-hidden="true">{text === "true" ? "on" : "off"}</span>
        </span>
      );
    case "optional-bool":
      return (
        <Select
          {...shared}
          text={text}
          onDraft={onDraft}
          options={[["", "left to svc"], ["true", "on"], ["false", "off"]]}
        />
      );
    case "enum":
      return (
        <Select
          {...shared}
          text={text}
          onDraft={onDraft}
          options={(field.choices ?? []).map((word) => [word, word])}
        />
      );
    case "header-map":
      return (
        <textarea
          {...shared}
          rows={2}
          spellcheck={false}
          autocomplete="off"
          value={text}
          placeholder='{"x-name": "value"}'
          onInput={({ currentTarget }) => onDraft(currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...shared}
          type="text"
          spellcheck={false}
          autocomplete="off"
          inputmode={INPUT_MODES[field.type]}
          value={text}
          onInput={({ currentTarget }) => onDraft(currentTarget.value)}
        />
      );
  }
}

const INPUT_MODES = {
  "int": "numeric",
  "float": "decimal",
  "str": "text",
  "csv-list": "text",
} as const;

function Select({ text, options, onDraft, ...shared }: {
  text: string;
  options: readonly (readonly [string, string])[];
  onDraft: (draft: Draft) => void;
  id: string;
  disabled: boolean;
}) {
  return (
    <select
      {...shared}
      value={text}
      onChange={({ currentTarget }) => onDraft(currentTarget.value)}
    >
      {options.some(([value]) => value === text)
        ? null
        : <option value={text}>{text || "none"}</option>}
      {options.map(([value, name]) => (
        <option key={value} value={value}>{name}</option>
      ))}
    </select>
  );
}
