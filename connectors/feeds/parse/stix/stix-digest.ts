/** Names of the STIX hash vocabulary, upper-cased and without punctuation, and their catalogue types. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA1', 'sha1'],
  ['SHA224', 'sha224'],
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA512', 'sha512'],
  ['SHA3224', 'sha3-224'],
  ['SHA3256', 'sha3-256'],
  ['SHA3384', 'sha3-384'],
  ['SHA3512', 'sha3-512'],
])

/** Catalogue type of a STIX hash algorithm (`SHA-256`, `sha256`); undefined where it has none (SSDEEP, TLSH). */
export const digestType = (algorithm: string): string | undefined =>
  DIGESTS.get(algorithm.toUpperCase().replaceAll(/[-_.]/g, ''))
