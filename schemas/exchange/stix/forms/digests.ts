/** A digest as the vocabulary `hash-algorithm-ov` of STIX names it, and how many hexadecimal digits it has. */
export type Algorithm = {
  type: string
  name: string
  digits: number
  /** Whether it may be the key of a file in the catalogue. */
  isKey: boolean
}

const algorithm = (type: string, name: string, digits: number, isKey = false): Algorithm => ({
  type,
  name,
  digits,
  isKey,
})

const MD5 = algorithm('md5', 'MD5', 32, true)
const SHA1 = algorithm('sha1', 'SHA-1', 40)
const SHA256 = algorithm('sha256', 'SHA-256', 64)

/** Of files, in the order in which the standard takes the first one for the id (STIX 2.1, 2.9). */
export const FILES: readonly Algorithm[] = [
  MD5,
  SHA1,
  SHA256,
  algorithm('sha512', 'SHA-512', 128),
  algorithm('sha3-256', 'SHA3-256', 64, true),
  algorithm('sha3-512', 'SHA3-512', 128),
]

/** Of certificates. The catalogue has one type for all of them, so the length says which. */
export const CERTIFICATES: readonly Algorithm[] = [MD5, SHA1, SHA256]

/** The place of a digest in a pattern. A name with a hyphen is quoted there. */
export const digestPath = (name: string): string => (name.includes('-') ? `hashes.'${name}'` : `hashes.${name}`)
