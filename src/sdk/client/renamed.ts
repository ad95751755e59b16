/** Names of the wire in camel case. @module */

/** Members that are known, in the names of the wire; those whose value is a list of members are looked into. */
export interface KnownFields {
  /** `true`: renamed, its value stays as it is. */
  readonly [wireName: string]: true | KnownFields;
}

/**
 * Renames known members. All others stay as they are, and so do tables whose keys are somebody's own words: models,
 * projects, tools.
 *
 * @param value An object, or a list of such.
 * @param fields What is renamed.
 */
export function renamed(value: unknown, fields: KnownFields): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, fields));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (known === undefined) return [name, member];
      return [camel(name), known === true ? member : renamed(member, known)];
    }),
  );
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());
}

/** Makes a list of members that are renamed and not looked into. */
export function known(...names: readonly string[]): KnownFields {
  return Object.fromEntries(names.map((name) => [name, true]));
}
