/** Which encoding counts for which model. @module */

/** An encoding whose ranks are included. */
export type EncodingName = "o200k_base" | "cl100k_base";

/** Model names of the older encoding, without vendor and fine-tuning prefixes. `gpt-35` is Azure's spelling. */
const CL100K_MODEL = /^(?:gpt-4(?!o|[.]?\d)|gpt-3[.]?5|text-embedding)/;
/** `vendor/` and `ft:` before the name of a model. */
const PREFIX = /^(?:.*\/)?(?:ft:)?/;

/**
 * Name of the encoding that counts for `model`.
 *
 * `cl100k_base` for GPT-4 (not 4o, 4.1, 4.5), GPT-3.5 and the `text-embedding` models, and
 * `o200k_base` for all others. Where the vendor publishes no tokenizer, as for Claude, or the model is
 * unknown, `o200k_base` is a stand-in: the count is exact for that encoding, not for the model.
 *
 * @param model Model name as the request has it; case, `vendor/` and `ft:` do not matter. May be empty.
 */
export function encodingOfModel(model: string): EncodingName {
  const name = model.toLowerCase().replace(PREFIX, "");
  return CL100K_MODEL.test(name) ? "cl100k_base" : "o200k_base";
}
