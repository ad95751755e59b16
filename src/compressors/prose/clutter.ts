/** Parts of a page that say nothing: badges, comments, bare tags, pleasantries, licence texts. @module */

/** A badge, linked or not. */
const BADGE =
  /\[!\[[^\]]*\]\([^)]*\)\](?:\([^)]*\)|\[[^\]]*\])?|!\[[^\]]*\]\([^)]*(?:shields\.io|badge|badgen|travis-ci|codecov|\.svg)[^)]*\)|\[!\[[^\]]*\]\[[^\]]*\]\](?:\[[^\]]*\]|\([^)]*\))?/g;
const BADGE_ADDRESS = /shields\.io|badge|badgen|travis-ci|codecov|coveralls/;
const COMMENT = /^\s*<!--(?!.*-->.*\S).*-->\s*$/;
const TAG = /<\/?[A-Za-z][^<>]*>/g;
/** Whether a line holds only badges, one comment or tags without text. */
export function isLooseText(line: string): boolean {
  const at = line.search(/\S/);
  const first = line.charCodeAt(at);
  // `!`, `<`, `[`: nothing else starts such a line.
  if (first !== 33 && first !== 60 && first !== 91) return false;
  if (first === 60) {
    return COMMENT.test(line) ||
      (line.endsWith(">") && line.replace(TAG, "").trim() === "" &&
        !/\b(?:id|name)=/.test(line));
  }
  return line.includes("![") && line.replace(BADGE, "").trim() === "";
}

/** Whether an address is that of a badge. */
export function isBadgeAddress(address: string): boolean {
  return BADGE_ADDRESS.test(address);
}

/** Starts of sentences that only lead on, thank or greet. */
const PLEASANTRY = new RegExp(
  "^[\\s>*_\"'(-]*(?:" + [
    "in (?:this|the (?:next|following|previous)) (?:section|chapter|guide|article|tutorial|page|document|post|example|lesson),? (?:we|you|i)\\b",
    "this (?:section|chapter|guide|article|tutorial|page|document|post) (?:will |shows? |explains? |describes? |covers? |provides? |walks )",
    "(?:now )?let(?:'|’)?s (?:get started|dive|take a (?:closer )?look|start|begin|explore|see|look|move on)",
    "let us (?:begin|start|look|see|explore)",
    "(?:i )?hope (?:this|that|it) helps",
    "(?:please )?(?:feel free|do(?:n'|n’)t hesitate) to",
    "(?:please )?let (?:me|us) know (?:if|whether|what|how)",
    "(?:many )?thank(?:s| you)\\b",
    "happy (?:coding|hacking|testing|reading)",
    "(?:sure|certainly|absolutely|of course|great question|good question|great)[!,.]",
    "(?:i(?:'|’)?d|i would|i(?:'|’)?m|i am|we(?:'|’)?re) (?:be )?(?:happy|glad) to (?:help|assist|explain)",
    "welcome to\\b",
    "congratulations\\b",
    "as (?:mentioned|noted|discussed|described|we(?:'ve| have) seen) (?:above|earlier|before|previously)",
    "(?:read|learn|find out) more (?:about|at|in|here)",
    "(?:click|tap) (?:here|the)\\b",
    "was this (?:page|article|document) (?:helpful|useful)",
    "(?:skip to|back to|jump to|go to) (?:the )?(?:main |page )?(?:content|top|navigation|search|table of contents)",
    "edit this page",
    "(?:sign|log) (?:in|up)(?: to| for|$)",
    "subscribe (?:to|for|now)",
    "share (?:this|on)\\b",
    "(?:we|this (?:web)?site) uses? cookies",
    "all rights reserved",
    "the format is (?:based on|that of)\\b",
    "(?:all )?notable changes (?:to|of|in)\\b",
    "(?:and )?this project adheres to\\b",
    "copyright\\b.{0,60}all rights reserved",
    "without further ado",
    "if you (?:like|enjoy|enjoyed|find) (?:this|the) (?:project|article|post|package|library)",
    "(?:pull requests|contributions|prs) (?:are )?(?:always )?welcome",
  ].join("|") + ")",
  "i",
);

/** Sentences of the usual licences. */
const LICENCE =
  /^[\s>*_"'(-]*(?:permission is hereby granted, free of charge|permission to use, copy, modify, and\/or distribute|the above copyright notice and this permission notice|the software is provided "as is"|in no event shall the (?:authors?|copyright)|redistribution and use in source and binary forms|redistributions (?:of source code|in binary form) must|this software is provided by the (?:copyright|regents)|neither the name of|unless required by applicable law or agreed to in writing|licensed under the apache license, version|you may not use this file except in compliance|you may obtain a copy of the license|see the license for the specific language|this program is free software[:;]|this program is distributed in the hope|you should have received a copy of the gnu)/i;

/** First words of all of these, so that most sentences need no pattern. */
const FIRST_WORDS = new Set(
  ("in this now let i hope please feel don many thank thanks happy sure certainly absolutely of great good we welcome congratulations as " +
    "read learn find click tap was skip back jump go edit sign log subscribe share all copyright c without if pull contributions prs " +
    "notable permission the redistribution redistributions neither unless licensed you see")
    .split(" "),
);
const FIRST_WORD = /^[^A-Za-z]{0,12}([A-Za-z]+)/;

/** Whether a sentence starts with a word that one of no content may start with. */
export function mayBeEmpty(sentence: string): boolean {
  const word = FIRST_WORD.exec(sentence)?.[1];
  return word !== undefined && FIRST_WORDS.has(word.toLowerCase());
}

/** Whether a sentence is a pleasantry: it starts like one and says little else. */
export function isPleasantry(sentence: string): boolean {
  return PLEASANTRY.test(sentence);
}

/** Whether a sentence is part of the text of a well-known licence. */
export function isLicence(sentence: string): boolean {
  return LICENCE.test(sentence);
}
