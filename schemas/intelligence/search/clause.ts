import type { Network } from '../compare/compare-networks.ts'

/**
 * What a search asks, once its text has been read: every clause of docs/use/search-reference.md is one of these few. Values are typed
 * and checked; compiling them, or judging a record by them, cannot fail any more.
 */

/** A field that searches can name. `.keyword` turns `text` into `keyword`. */
export type Field =
  | { name: 'id' | 'entityID' | 'type' | 'userID'; kind: 'keyword' }
  | { name: '@timestamp' | 'lastSeen'; kind: 'date' }
  | { name: 'reputation' | 'accuracy' | 'bestReputation' | 'worstReputation'; kind: 'number' }
  | { name: 'wellKnown' | 'covered'; kind: 'boolean' }
  /** The main value. `whole`: it is one of the given values, and not inside one of them that is a network. */
  | { name: 'value'; kind: 'keyword'; whole?: true }
  /** Where an address or a network is; empty where that is not known. The number of an `asn` as text. */
  | { name: 'country' | 'asn' | 'aso'; kind: 'keyword' }
  /** Several values: a clause holds when one of them meets it. */
  | { name: 'tags'; kind: 'keyword' }
  | { name: 'attribute'; attribute: string; kind: 'text' | 'keyword' | 'number' | 'date'; whole?: true }
  /** Every attribute of the record, as text: a clause holds when one of them meets it. */
  | { name: 'anyAttribute'; kind: 'text' | 'keyword' }

/** Text for keywords, text and attributes; numbers; unix milliseconds for dates. */
export type Value = string | number | boolean

export type Bound = { value: string | number; inclusive: boolean }

export type Clause =
  | { is: 'all' }
  | { is: 'none' }
  /** `filter` is among `must`. `atLeast` of `should`, 0 when they are only wishes. */
  | { is: 'bool'; must: readonly Clause[]; mustNot: readonly Clause[]; should: readonly Clause[]; atLeast: number }
  /** The whole value is one of these; of a text also: one of its words is. */
  | { is: 'equals'; field: Field; values: readonly Value[]; caseless: boolean }
  /** An address in one of the networks; of main values also a network inside one, or equal to it. */
  | { is: 'within'; field: Field; networks: readonly Network[] }
  /** A name, the host of a URL or the domain of an email address is this name or below it, by labels. */
  | { is: 'suffix'; field: Field; name: string }
  | { is: 'range'; field: Field; from: Bound | null; to: Bound | null }
  | { is: 'exists'; field: Field }
  /** The whole value, or a word of a text, begins with `text`. */
  | { is: 'prefix'; field: Field; text: string; caseless: boolean }
  /** RE2 over the whole value, or a word of a text, from its first to its last character. Wildcards become one too. */
  | { is: 'regexp'; field: Field; pattern: string; caseless: boolean }
  /** Levenshtein distance in code points from the whole value, or a word of a text, after an equal beginning. */
  | { is: 'fuzzy'; field: Field; text: string; edits: 0 | 1 | 2; prefixLength: number }
  /** At least so many of the distinct words are words of the text; the last may be the beginning of one. */
  | { is: 'words'; field: Field; words: readonly string[]; atLeast: number; lastIsPrefix: boolean }
  /** The words follow each other in the text; the last may be the beginning of one. */
  | { is: 'phrase'; field: Field; words: readonly string[]; lastIsPrefix: boolean }
