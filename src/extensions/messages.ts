/** What the proxy and the thread of its extensions say to each other. @module */
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
}

/** What an extension did that it should not. */
export interface ExtensionFailure {
  /** The extension. */
  readonly name: string;
  /** What it did, in words, without texts of a request. */
  readonly reason: string;
}

/** To the thread. */
export type ToExtensions =
  | { readonly type: "load"; readonly modules: readonly ExtensionModule[] }
  | {
    readonly type: "ask";
    readonly id: number;
    readonly question: Question;
  };

/** From the thread. */
export type FromExtensions =
  /** A module is about to be loaded, or a question to be handed to it. */
  | {
    readonly type: "begins";
    readonly name: string;
    /** The question; absent while modules are loaded. */
    readonly id?: number;
  }
  | {
    readonly type: "loaded";
    readonly names: readonly string[];
    readonly failures: readonly ExtensionFailure[];
  }
  | {
    readonly type: "answer";
    readonly id: number;
    readonly edits: readonly PipelineEdit[];
    readonly failures: readonly ExtensionFailure[];
  };
