/** Takes images out of JSON texts before they are kept for reading. @module */

/** Characters of base64 from which on they are taken out. */
const MIN_CHARS = 1024;

/** Members that hold images. */
const IMAGE_MEMBER = /"(?:data|url|image_url|image)"\s*:\s*"/g;
/** Images that stand anywhere in a string. */
const DATA_URL = /data:image\\?\/[\w.+-]{1,40};base64,/gi;
/** Where base64 ends, also base64 whose slashes are escaped. */
const NO_BASE64 = /[^\w+/=\\-]|\\(?!\/)/g;

/**
 * The text with each image of 1,024 base64 characters or more replaced by `<image:base64-redacted bytes=N>`, N being
 * their count.
 *
 * Images are strings of base64 under the keys `data`, `url`, `image_url` and `image`, and `data:image/` URLs anywhere.
 * A JSON text stays one, and its other bytes stay as they are. Time linear in the text.
 */
export function withoutImages(text: string): string {
  if (!hasLongWord(text)) return text;
  return replaced(replaced(text, DATA_URL), IMAGE_MEMBER);
}

/** Whether there is a stretch without a blank or a quote that an image would fit in; looks at few characters of a text. */
function hasLongWord(text: string): boolean {
  for (let at = MIN_CHARS - 1; at < text.length; at += MIN_CHARS) {
    let start = at;
    while (start >= 0 && isInWord(text.charCodeAt(start))) start--;
    let end = at;
    while (end < text.length && isInWord(text.charCodeAt(end))) end++;
    if (end - start > MIN_CHARS) return true;
  }
  return false;
}

function isInWord(code: number): boolean {
  return code > 0x20 && code !== 0x22;
}

function replaced(text: string, head: RegExp): string {
  const parts: string[] = [];
  let copied = 0;
  for (const match of text.matchAll(head)) {
    const start = match.index + match[0].length;
    if (start < copied) continue;
    const end = endOfBase64(text, start);
    if (end - start < MIN_CHARS) continue;
    // A member must be an image as a whole.
    if (head === IMAGE_MEMBER && text[end] !== '"') continue;
    const from = head === DATA_URL ? match.index : start;
    parts.push(
      text.slice(copied, from),
      `<image:base64-redacted bytes=${end - start}>`,
    );
    copied = end;
  }
  if (copied === 0) return text;
  parts.push(text.slice(copied));
  return parts.join("");
}

function endOfBase64(text: string, start: number): number {
  NO_BASE64.lastIndex = start;
  return NO_BASE64.exec(text)?.index ?? text.length;
}
