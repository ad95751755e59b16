/** What the nodes of each grammar mean for an outline. @module */
import type { Language } from "web-tree-sitter";
import type { LanguageId } from "./language.ts";

/** A list of statements; the body of a function when its parent is one. */
export const BLOCK = 1;
/** A list whose members stay: a file, a class, an interface. */
export const MEMBERS = 2;
/** A list in a statement: the cases of a switch. */
export const CASES = 3;
/** A literal of many values. */
export const DATA = 4;
/** Always the body of a function. */
export const BODY = 5;
/** Its children belong to the list around it. */
export const FLAT = 6;
/** A string that may go on over lines. */
export const TEXT = 7;

/** A node whose block is the body of a function. */
export const FUNCTION = 1;
/** A node whose block holds members. */
export const SCOPE = 2;
/** A comment. */
export const COMMENT = 4;
/** A statement that ends its function. */
export const LEAVES = 8;
/** A statement that may be a docstring. */
export const EXPRESSION = 16;
/** A comma or semicolon between members. */
export const SEPARATOR = 32;

/** Node types, separated by blanks. */
interface NodeKinds {
  readonly block: string;
  readonly members: string;
  readonly cases?: string;
  readonly data: string;
  readonly body?: string;
  readonly flat?: string;
  readonly text?: string;
  readonly function: string;
  readonly scope?: string;
  readonly comment?: string;
  readonly leaves: string;
  readonly expression?: string;
}

const C: NodeKinds = {
  block: "compound_statement",
  members:
    "translation_unit field_declaration_list enumerator_list declaration_list preproc_if preproc_ifdef preproc_else preproc_elif",
  data: "initializer_list",
  function: "function_definition",
  leaves: "return_statement",
};

const JAVASCRIPT: NodeKinds = {
  block: "statement_block",
  members: "program class_body",
  cases: "switch_body",
  data: "array object",
  text: "template_string",
  function:
    "function_declaration function_expression generator_function generator_function_declaration arrow_function method_definition",
  leaves: "return_statement throw_statement",
};

const TYPESCRIPT: NodeKinds = {
  ...JAVASCRIPT,
  members: `${JAVASCRIPT.members} interface_body object_type enum_body`,
  scope: "module internal_module ambient_declaration",
};

const KINDS: Readonly<Record<LanguageId, NodeKinds>> = {
  c: C,
  cpp: {
    ...C,
    text: "raw_string_literal",
    function: `${C.function} lambda_expression`,
    leaves: `${C.leaves} throw_statement`,
  },
  go: {
    block: "block",
    flat: "statement_list",
    members:
      "source_file field_declaration_list interface_type const_declaration var_declaration",
    cases: "expression_switch_statement type_switch_statement select_statement",
    data: "literal_value",
    text: "raw_string_literal",
    function: "function_declaration method_declaration func_literal",
    leaves: "return_statement",
  },
  java: {
    block: "block",
    members:
      "program class_body interface_body enum_body enum_body_declarations annotation_type_body",
    cases: "switch_block",
    data: "array_initializer element_value_array_initializer",
    text: "string_literal",
    body: "constructor_body",
    function:
      "method_declaration compact_constructor_declaration lambda_expression static_initializer",
    comment: "line_comment block_comment",
    leaves: "return_statement throw_statement",
  },
  javascript: JAVASCRIPT,
  python: {
    block: "block",
    members: "module",
    data: "list dictionary set tuple",
    text: "string",
    function: "function_definition",
    scope: "class_definition",
    leaves: "return_statement raise_statement",
    expression: "expression_statement",
  },
  rust: {
    block: "block",
    members:
      "source_file declaration_list field_declaration_list enum_variant_list",
    cases: "match_block",
    data: "array_expression field_initializer_list",
    text: "string_literal raw_string_literal",
    function: "function_item closure_expression async_block",
    comment: "line_comment block_comment",
    leaves:
      "return_expression call_expression identifier self macro_invocation",
  },
  tsx: TYPESCRIPT,
  typescript: TYPESCRIPT,
};

/** Meanings by the number that a grammar gives a node type. */
export interface NodeTable {
  /** {@linkcode BLOCK} to {@linkcode TEXT}; 0 for a node that is no list. */
  readonly list: Uint8Array;
  /** Bits {@linkcode FUNCTION} to {@linkcode SEPARATOR}. */
  readonly traits: Uint8Array;
}

/** Number of a node that could not be parsed. */
export const ERROR_NODE = 65535;

const tables = new WeakMap<Language, NodeTable>();

/** The table of a language, made once for each grammar. */
export function nodeTable(id: LanguageId, grammar: Language): NodeTable {
  const known = tables.get(grammar);
  if (known !== undefined) return known;
  const table = makeTable(KINDS[id], grammar);
  tables.set(grammar, table);
  return table;
}

function makeTable(kinds: NodeKinds, grammar: Language): NodeTable {
  const size = ERROR_NODE + 1;
  const list = new Uint8Array(size);
  const traits = new Uint8Array(size);
  const each = (types: string | undefined, visit: (id: number) => void) => {
    for (const type of (types ?? "").split(" ")) {
      const id = type === "" ? null : grammar.idForNodeType(type, true);
      if (id !== null) visit(id);
    }
  };
  const lists = [
    [kinds.block, BLOCK],
    [kinds.members, MEMBERS],
    [kinds.cases, CASES],
    [kinds.data, DATA],
    [kinds.body, BODY],
    [kinds.flat, FLAT],
    [kinds.text, TEXT],
  ] as const;
  for (const [types, value] of lists) each(types, (id) => list[id] = value);
  const bits = [
    [kinds.function, FUNCTION],
    [kinds.scope, SCOPE],
    [kinds.comment ?? "comment", COMMENT],
    [kinds.leaves, LEAVES],
    [kinds.expression, EXPRESSION],
  ] as const;
  for (const [types, bit] of bits) each(types, (id) => traits[id]! |= bit);
  for (const sign of [",", ";"]) {
    const id = grammar.idForNodeType(sign, false);
    if (id !== null) traits[id]! |= SEPARATOR;
  }
  return { list, traits };
}
