/** Lines of tags in a user's text: those around documents, and those around what is no user's. @module */

/** Around documents, output, and what a user says. */
const DOCUMENT =
  /^(?:documents?|document_?contents?|files?|file_?contents?|attachments?|attached_files?|contents?|context|data|logs?|output|stdout|stderr|results?|errors?|(?:stack_?)?trace|pasted?|console|terminal|(?:bash|local-command)-std(?:out|err)|task|question|query|user_(?:query|message|request))$/i;
/** Elements of web pages: they are part of one. */
const ELEMENT =
  /^(?:a|abbr|article|aside|audio|b|base|blockquote|body|br|button|canvas|caption|circle|code|col|colgroup|dd|defs|details|dialog|div|dl|dt|em|fieldset|figcaption|figure|footer|form|g|h[1-6]|head|header|hr|html|i|iframe|img|input|label|legend|li|link|main|meta|nav|noscript|ol|optgroup|option|p|path|picture|polygon|pre|rect|script|section|select|small|span|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|u|ul|video)$/i;
/** A line that begins with a tag. */
const LINE = /^\s{0,8}<(\/?)([A-Za-z][\w.-]{0,60})((?:\s[^<>\n]{0,300})?)>/;
/** Where a document comes from: an attribute, or an element of its own. */
const PATH =
  /\s(?:path|name|filename|file_?name|file_?path|source|title|src)\s*=\s*["']([^"'\n]{1,200})["']/i;
const SOURCE =
  /^\s{0,8}<(?:source|path|name|file_?name|file_?path|title)>([^<>\n]{1,200})<\//i;
/** What clients tell the model, anywhere in a line. */
const REMINDER = "system-reminder";
/** UTF-16 units of a line that are looked at. */
const HEAD = 400;

/** Follows the tags of a text, line by line. */
export class Tags {
  /** File that the document around the next line comes from; empty when unknown. */
  path = "";
  #closing = "";

  /** Whether the next line belongs to an element that is neither a document nor of a web page: instructions of a client, say. */
  get isOwn(): boolean {
    return this.#closing !== "";
  }

  /** Takes the next line. @returns Whether it is part of the frame: no text of a document, nor of a user. */
  takes(line: string): boolean {
    if (this.isOwn) {
      if (line.includes(this.#closing)) this.#closing = "";
      return true;
    }
    const reminder = line.lastIndexOf(`<${REMINDER}>`);
    if (reminder >= 0) return this.#opens(REMINDER, line.slice(reminder));
    const head = line.slice(0, HEAD);
    const source = SOURCE.exec(head);
    if (source !== null) {
      this.path = source[1]!.trim();
      return true;
    }
    const tag = LINE.exec(head);
    if (tag === null) return this.#ends(line);
    const [, slash, name = "", attributes = ""] = tag;
    if (!DOCUMENT.test(name)) {
      if (ELEMENT.test(name)) return false;
      return slash !== "" || attributes.endsWith("/") ||
        this.#opens(name, line);
    }
    const path = PATH.exec(attributes)?.[1];
    if (slash !== "" || line.includes(`</${name}>`)) this.path = "";
    else if (path !== undefined) this.path = path.trim();
    return true;
  }

  /** The last line of a document whose closing tag stands behind it. */
  #ends(line: string): boolean {
    const tag = /<\/([A-Za-z][\w.-]{0,60})>\s*$/.exec(line.slice(-HEAD));
    const isEnd = tag !== null && DOCUMENT.test(tag[1]!);
    if (isEnd) this.path = "";
    return isEnd;
  }

  #opens(name: string, line: string): true {
    const closing = `</${name}>`;
    if (!line.includes(closing)) this.#closing = closing;
    return true;
  }
}
