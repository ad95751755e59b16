/** Tables of the text format of Prometheus: the samples of each metric that has as many labels. @module */
import { type Lines, lineStart } from "../../text/lines.ts";
import { CELLS, contentOf, gridOf, PLAIN, type Table } from "./layout.ts";

/** `http_requests_total{code="200",pod="a"} 42 1700000000000`, up to its labels. */
const NAME = /^[A-Za-z_:][\w:]*/;
const LABEL = /[\s,]*([A-Za-z_]\w*="(?:[^"\\\n]|\\.)*"),?/y;
const VALUE =
  /^[ \t]+([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN))(?:[ \t]+(-?\d{1,19}))?[ \t]*(?:#.*)?$/;
const COMMENT = /^#/;
/** What the format alone has. */
const SIGN = /^# (?:HELP|TYPE|UNIT) [A-Za-z_:]/;
/** Samples with labels that show the format without such a line. */
const LEAST_LABELLED = 5;
/** UTF-16 units of a line. */
const LONGEST = 2000;

/** One line: the name of a metric, and where its labels and its values are. */
interface Sample {
  readonly name: string;
  /** Start and end of each cell in the line. */
  readonly cells: readonly number[];
}

/** A table per metric, its comments above its samples; none unless all lines are of the format. O(n). */
export function findMetrics(lines: Lines): Table[] {
  const tables: Table[] = [];
  let labelled = 0;
  let isSigned = false;
  let open: Run | undefined;
  const close = () => {
    if (open !== undefined) tables.push(tableOf(lines, open));
    open = undefined;
  };
  for (let line = 0; line < lines.count; line++) {
    const text = contentOf(lines, line);
    if (text.trim() === "") {
      close();
      continue;
    }
    const isComment = COMMENT.test(text);
    const sample = isComment ? undefined : sampleOf(text);
    if (!isComment && sample === undefined) return [];
    isSigned ||= SIGN.test(text);
    if (sample !== undefined && sample.cells.length > 4) labelled++;
    const shape = sample && `${sample.name} ${sample.cells.length}`;
    // Comments are above the samples of their metric.
    if (open?.shape !== undefined && shape !== open.shape) close();
    open ??= { from: line, shape: undefined, samples: [] };
    open.shape ??= shape;
    open.samples.push(sample);
  }
  close();
  return isSigned || labelled >= LEAST_LABELLED ? tables : [];
}

/** Lines that follow one another, of one metric. */
interface Run {
  readonly from: number;
  shape: string | undefined;
  readonly samples: (Sample | undefined)[];
}

function sampleOf(text: string): Sample | undefined {
  const name = NAME.exec(text.slice(0, LONGEST))?.[0];
  if (name === undefined || text.length > LONGEST) return undefined;
  const cells = [0, name.length];
  let at = name.length;
  if (text[at] === "{") {
    at++;
    for (;;) {
      LABEL.lastIndex = at;
      const match = LABEL.exec(text);
      if (match === null) break;
      const [all, label = ""] = match;
      const start = at + all.indexOf(label);
      cells.push(start, start + label.length);
      at = LABEL.lastIndex;
    }
    if (text[at] !== "}") return undefined;
    at++;
  }
  const match = VALUE.exec(text.slice(at));
  if (match === null) return undefined;
  const [, value = ""] = match;
  const start = at + match[0].indexOf(value);
  cells.push(start, start + value.length);
  return { name, cells };
}

function tableOf(lines: Lines, { from, samples }: Run): Table {
  const first = samples.find((sample) => sample !== undefined);
  const columns = (first?.cells.length ?? 4) / 2;
  const cells = samples.flatMap((sample, i) => {
    const start = lineStart(lines, from + i);
    return sample?.cells.map((place) => start + place) ??
      new Array<number>(2 * columns).fill(start);
  });
  const states = samples.map((sample) => sample === undefined ? PLAIN : CELLS);
  return {
    ...gridOf(lines, from, { columns, states, cells }),
    form: "metrics",
    head: -1,
    names: undefined,
    // Rows are written as they are.
    delimiter: "}",
    layout: undefined,
  };
}
