/** References of code as generators write them: what a signature, a heading and an anchor say in turn is written once. @module */

/** Writes a text shorter, and its inverse; a text that the inverse would change is not for this step. */
export type Step = readonly [
  fold: (text: string) => string,
  restore: (form: string) => string,
];

const HEAD = /^(#{1,6}) (.+)$/;
/** `> **run**(`a`, `b?`): ` and the type of the result. */
const SIGNATURE = /^(> [^\n]*\*\*\??\()([^()\n]*)(\): )([^\n]+)$/;
const TYPED = /^(> [^\n]*\*\*\??\()((?:`[^`\n]+`: [^\n]+?)?)(\): )([^\n]+)$/;
/** Between two paragraphs. */
const BLANK = "\n\n";
/** An anchor and the heading below it. */
const ANCHOR = /^<a id="([\w.]+)"><\/a>\n\n(#{1,6}) (.+)$/gm;
const ANCHORED = /^(#{1,6}) id=([\w.]+)(.*)$/gm;
/** A heading, and a signature below it that names the same. */
const HEADED = /^(#{1,6}) ([^\n]+)\n\n> ([^\n]*)$/gm;
const JOINED = /^(#{1,6}) > ([^\n]*)$/gm;
const NAME = /\*\*([^*\n]+?)\??\*\*(\()?/;
const ARGUMENT = /, (?=`[^`\n]+`: )/;

/** Moves the types of parameters into their signature, and drops the type of the result below it. O(n). */
export const SIGNATURES: Step = [foldSignatures, unfoldSignatures];

/** Anchors and headings. O(n). */
export const REFERENCES: readonly Step[] = [
  [joinAnchors, splitAnchors],
  [joinHeads, splitHeads],
];

function foldSignatures(text: string): string {
  return mapSections(text, (section) => {
    const form = folded(section);
    return form !== undefined &&
        unfolded(form)?.join(BLANK) === section.join(BLANK)
      ? form
      : undefined;
  });
}

function unfoldSignatures(form: string): string {
  return mapSections(form, unfolded);
}

type Section = readonly string[];

/** Changes each section: a heading, a signature and what is below, up to a heading of no lower level. */
function mapSections(
  text: string,
  change: (section: Section) => Section | undefined,
): string {
  if (!text.includes("\n\n> ")) return text;
  const paragraphs = text.split(BLANK);
  const out: string[] = [];
  for (let from = 0; from < paragraphs.length;) {
    const level = levelOf(paragraphs[from]);
    const isHead = level > 0 && paragraphs[from + 1]?.startsWith("> ");
    let to = from + 1;
    while (isHead && isBelow(paragraphs[to], level)) to++;
    const section = paragraphs.slice(from, to);
    out.push(...(isHead ? change(section) : undefined) ?? section);
    from = to;
  }
  return out.join(BLANK);
}

function levelOf(paragraph = ""): number {
  return HEAD.exec(paragraph)?.[1]?.length ?? 0;
}

function isBelow(paragraph: string | undefined, level: number): boolean {
  const own = levelOf(paragraph);
  return paragraph?.startsWith("***") === false && (own === 0 || own > level);
}

/** Whether a paragraph exists and is no heading. */
function isSaid(paragraph: string | undefined): boolean {
  return paragraph !== undefined && paragraph !== "" &&
    levelOf(paragraph) === 0;
}

function headOf(level: number, name: string): string {
  return `${"#".repeat(Math.min(6, level))} ${name}`;
}

function folded([head = "", signature = "", ...rest]: Section) {
  const parts = SIGNATURE.exec(signature);
  if (parts === null) return undefined;
  const [, open = "", inner = "", close = "", result = ""] = parts;
  const level = levelOf(head) + 1;
  const at = rest.indexOf(headOf(level, "Returns"));
  if (at < 0 || rest[at + 1] !== result) return undefined;
  rest.splice(isSaid(rest[at + 2]) ? at + 1 : at, isSaid(rest[at + 2]) ? 1 : 2);
  const types: string[] = [];
  const first = rest.indexOf(headOf(level, "Parameters"));
  let place = first + 1;
  for (const name of inner === "" ? [] : inner.split(", ")) {
    const type = rest[place + 1];
    const isNamed = rest[place] === headOf(level + 1, name.slice(1, -1));
    if (first < 0 || !isNamed || type === undefined) return undefined;
    types.push(`${name}: ${type}`);
    if (isSaid(rest[place + 2])) {
      rest.splice(++place, 1);
      while (isSaid(rest[place])) place++;
    } else rest.splice(place, 2);
  }
  if (types.length > 0 && place === first + 1) rest.splice(first, 1);
  return [head, open + types.join(", ") + close + result, ...rest];
}

function unfolded([head = "", signature = "", ...rest]: Section) {
  const parts = TYPED.exec(signature);
  if (parts === null) return undefined;
  const [, open = "", inner = "", close = "", result = ""] = parts;
  const level = levelOf(head) + 1;
  const names: string[] = [];
  const first = rest.findIndex((each) =>
    levelOf(each) > 0 && !each.endsWith("# Type Parameters")
  );
  let place = first < 0 ? rest.length : first;
  /** Adds a heading that is missing, and what is said first below it. */
  const add = (heading: string, ...said: string[]) => {
    const isThere = rest[place] === heading;
    rest.splice(
      place + Number(isThere),
      0,
      ...isThere ? [] : [heading],
      ...said,
    );
    place += 1 + said.length;
  };
  if (inner !== "") add(headOf(level, "Parameters"));
  for (const argument of inner === "" ? [] : inner.split(ARGUMENT)) {
    const end = argument.indexOf("`: ") + 1;
    names.push(argument.slice(0, end));
    add(headOf(level + 1, argument.slice(1, end - 1)), argument.slice(end + 2));
    while (isSaid(rest[place])) place++;
  }
  add(headOf(level, "Returns"), result);
  return [head, open + names.join(", ") + close + result, ...rest];
}

/** `#### id=shop.total` for the anchor `shop.total` and the heading `total` below it. */
function joinAnchors(text: string): string {
  return text.replace(
    ANCHOR,
    (whole, id, marks, heading) =>
      heading.startsWith(titleOf(marks, id))
        ? `${marks} id=${id}${heading.slice(titleOf(marks, id).length)}`
        : whole,
  );
}

function splitAnchors(form: string): string {
  return form.replace(
    ANCHORED,
    (_, marks, id, more) =>
      `<a id="${id}"></a>\n\n${marks} ${titleOf(marks, id)}${more}`,
  );
}

/** The heading that a generator puts below an anchor. */
function titleOf(marks: string, id: string): string {
  const name = marks === "#" ? id : id.slice(id.lastIndexOf(".") + 1);
  return name.replaceAll("_", "\\_");
}

/** `#### > run(**x**)` for a heading `#### x` and the signature below it. */
function joinHeads(text: string): string {
  if (!text.includes("\n\n> ")) return text;
  return text.replace(
    HEADED,
    (whole, marks, heading, signature) =>
      nameOf(signature) === heading ? `${marks} > ${signature}` : whole,
  );
}

function splitHeads(form: string): string {
  return form.replace(
    JOINED,
    (whole, marks, signature) => {
      const name = nameOf(signature);
      return name === undefined ? whole : `${marks} ${name}\n\n> ${signature}`;
    },
  );
}

/** The heading that a generator puts over a signature. */
function nameOf(signature: string): string | undefined {
  const [, name, call] = NAME.exec(signature) ?? [];
  return name === undefined
    ? undefined
    : call === undefined
    ? name
    : `${name}()`;
}
