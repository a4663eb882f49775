/** What an extraction finds in a text, and its bounds (ADR 268). */

/** An indicator and where it stands. */
export type Indicator = {
  /** A type of the catalogue. */
  type: string
  /** In the normal form of its type. */
  value: string
  /** The first lines that it stands in, from 1, at most `MAX_LINES_KEPT`. */
  lines: number[]
  /** How often it stands in the text. */
  count: number
  /** The beginning of the first of these lines, at most `MAX_LINE_KEPT` UTF-16 code units. */
  text: string
}

/** What was seen and is not among the indicators, and why. */
export type LeftOut = {
  /** Addresses that name nothing on the public internet, and URLs of them: no report of one is accepted. */
  notPublic: number
  /** Values that are longer than `MAX_VALUE`. */
  tooLong: number
  /** Indicators after the last that has room; each time one stands there. */
  tooMany: number
  /** Lines that are longer than `MAX_LINE`, of which the beginning was read. */
  cutLines: number
}

/** Most indicators of one extraction, unless it is told another number: as many as one look-up takes. */
export const MAX_INDICATORS = 10_000
/** Longest value: as long as one of a look-up may be, in UTF-16 code units. */
export const MAX_VALUE = 2_048
/** Longest line that is read to its end, in UTF-16 code units. */
export const MAX_LINE = 1_048_576
export const MAX_LINES_KEPT = 20
export const MAX_LINE_KEPT = 300

/** Takes a type and the value in its normal form. */
export type Emit = (type: string, value: string) => void

/** What the parts of the extractor report. */
export type Sink = { emit: Emit; left: LeftOut }
