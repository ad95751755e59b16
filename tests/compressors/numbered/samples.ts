/** Golden pairs of the compressor of numbered lines. @module */
import bars from "../../golden/numbered/bars.txt" with { type: "text" };
import catN from "../../golden/numbered/cat_n.txt" with { type: "text" };
import catNMarkdown from "../../golden/numbered/cat_n_markdown.txt" with {
  type: "text",
};
import colonSpace from "../../golden/numbered/colon_space.txt" with {
  type: "text",
};
import jsonConfig from "../../golden/numbered/json_config.txt" with {
  type: "text",
};
import nlAllCrlf from "../../golden/numbered/nl_all_crlf.txt" with {
  type: "text",
};
import readArrow from "../../golden/numbered/read_arrow.txt" with {
  type: "text",
};
import readOffset from "../../golden/numbered/read_offset.txt" with {
  type: "text",
};
import withHeadingAndTail from "../../golden/numbered/with_heading_and_tail.txt" with {
  type: "text",
};
import zeroPadded from "../../golden/numbered/zero_padded.txt" with {
  type: "text",
};
import { goldensOf } from "../goldens.ts";

/** All golden files. */
export const GOLDENS = goldensOf({
  bars,
  catN,
  catNMarkdown,
  colonSpace,
  jsonConfig,
  nlAllCrlf,
  readArrow,
  readOffset,
  withHeadingAndTail,
  zeroPadded,
});
