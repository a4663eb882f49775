/**
 * What the platform knows of each datatype, in one table (ADR 268): search, look-up and propagation read it here. How a
 * value is read stands beside it, in normalisers.ts, because the console loads this table into a browser.
 */

/** Any number of hexadecimal digits. */
export const ANY = 'any'

/** Every property is required: a new datatype that leaves one out does not compile. */
export type Datatype = {
  /** Kind of its field in advanced searches (docs/use/search.md, Fields). */
  search: 'text' | 'keyword' | 'number' | 'date'
  /** For text, which is also found by each of its words: the case of its normal form. Null for all others. */
  words: 'lower case' | 'any case' | null
  /**
   * When a look-up reads a plain text as a value of the datatype. `always`: every text; `detected`: a text that `detect`
   * recognises; `indicator` and `name`: a text that `detect` does not recognise and that the normaliser accepts, which an
   * `indicator` marks as one, while a `name` may be any word; null: never.
   */
  lookUp: 'always' | 'detected' | 'indicator' | 'name' | null
  /** Lengths of a hexadecimal text that may be its value, whichever function or tool made the text. */
  digits: readonly number[] | typeof ANY
  /** Whether a simple search also looks for its normal form: it differs from the lower-cased text and is not detected. */
  ownForm: boolean
  /** What a covering mark compares of its values: the address, the host name, the host of the URL, or nothing (ADR 270). */
  covered: 'address' | 'host' | 'url' | null
}

/**
 * Every datatype of the catalogue, under the name that the catalogue gives it (decisions 3.2). A look-up tries
 * indicators and names in this order.
 */
export const DATATYPES = {
  String: { search: 'text', words: 'lower case', lookUp: 'always', digits: [], ownForm: false, covered: null },
  'Case-sensitive string': {
    search: 'text',
    words: 'any case',
    lookUp: 'always',
    digits: [],
    ownForm: false,
    covered: null,
  },
  IP: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: 'address' },
  CIDR: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: 'address' },
  FQDN: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: 'host' },
  URL: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: 'url' },
  Email: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: null },
  Path: { search: 'keyword', words: null, lookUp: 'detected', digits: [], ownForm: false, covered: null },
  MD5: { search: 'keyword', words: null, lookUp: 'detected', digits: [32], ownForm: false, covered: null },
  'SHA-1': { search: 'keyword', words: null, lookUp: 'detected', digits: [40], ownForm: false, covered: null },
  'SHA-224': { search: 'keyword', words: null, lookUp: 'detected', digits: [56], ownForm: false, covered: null },
  'SHA-256': { search: 'keyword', words: null, lookUp: 'detected', digits: [64], ownForm: false, covered: null },
  'SHA-384': { search: 'keyword', words: null, lookUp: 'detected', digits: [96], ownForm: false, covered: null },
  'SHA-512': { search: 'keyword', words: null, lookUp: 'detected', digits: [128], ownForm: false, covered: null },
  'SHA3-224': { search: 'keyword', words: null, lookUp: 'detected', digits: [56], ownForm: false, covered: null },
  'SHA3-256': { search: 'keyword', words: null, lookUp: 'detected', digits: [64], ownForm: false, covered: null },
  'SHA3-384': { search: 'keyword', words: null, lookUp: 'detected', digits: [96], ownForm: false, covered: null },
  'SHA3-512': { search: 'keyword', words: null, lookUp: 'detected', digits: [128], ownForm: false, covered: null },
  'SHA512-224': { search: 'keyword', words: null, lookUp: 'detected', digits: [56], ownForm: false, covered: null },
  'SHA512-256': { search: 'keyword', words: null, lookUp: 'detected', digits: [64], ownForm: false, covered: null },
  MAC: { search: 'keyword', words: null, lookUp: 'indicator', digits: [], ownForm: true, covered: null },
  UUID: { search: 'keyword', words: null, lookUp: 'indicator', digits: [], ownForm: true, covered: null },
  'UUID|MD5|SHA3-256': {
    search: 'keyword',
    words: null,
    lookUp: 'indicator',
    digits: [32, 64],
    ownForm: false,
    covered: null,
  },
  Hexadecimal: { search: 'keyword', words: null, lookUp: 'indicator', digits: ANY, ownForm: true, covered: null },
  Phone: { search: 'keyword', words: null, lookUp: 'indicator', digits: [], ownForm: true, covered: null },
  Country: { search: 'keyword', words: null, lookUp: 'name', digits: [], ownForm: true, covered: null },
  Adversary: { search: 'keyword', words: null, lookUp: 'name', digits: [], ownForm: false, covered: null },
  City: { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Port: { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  'MIME type': { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Regex: { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  BASE64: { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Boolean: { search: 'keyword', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Date: { search: 'date', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Datetime: { search: 'date', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Integer: { search: 'number', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
  Float: { search: 'number', words: null, lookUp: null, digits: [], ownForm: false, covered: null },
} as const satisfies Record<string, Datatype>

export type DataType = keyof typeof DATATYPES

/** Datatypes whose values have one length in hexadecimal digits. */
export type DigestName = {
  [Name in DataType]: (typeof DATATYPES)[Name]['digits'] extends readonly [number] ? Name : never
}[DataType]
