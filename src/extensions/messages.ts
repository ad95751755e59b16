/** What the proxy and the thread of an extension say to each other. @module */
import type { PipelineEdit } from "../core/pipeline_event.ts";

/** A module to load. */
export interface ExtensionModule {
  /** As the user named it. */
  readonly name: string;
  /** What is imported. */
  readonly specifier: string;
}

/** A request's messages that no extension has seen. */
export interface Question {
  /** Wire format. */
  readonly format: string;
  /** Model; empty for none. */
  readonly model: string;
  /** The messages: the text of a JSON array. */
  readonly messages: string;
  /** Edits of the extensions before this one; none unless given. */
  readonly made?: readonly PipelineEdit[];
}

/** What an extension did that it should not. */
export interface ExtensionFailure {
  /** The extension. */
  readonly name: string;
  /** What it did, in words, without texts of a request. */
  readonly reason: string;
}

/** To the thread. */
export type ToExtension =
  | { readonly type: "load"; readonly specifier: string }
  | { readonly type: "ask"; readonly id: number; readonly question: Question };

/** From the thread. */
export type FromExtension =
  | {
    readonly type: "loaded";
    /** Why it could not be loaded, in words; absent where it was. */
    readonly failure?: string;
  }
  /** The extension is about to be handed this question. */
  | { readonly type: "begins"; readonly id: number }
  | {
    readonly type: "answer";
    readonly id: number;
    readonly edits: readonly PipelineEdit[];
    /** What is left out of them, and why. */
    readonly failures: readonly string[];
  };
