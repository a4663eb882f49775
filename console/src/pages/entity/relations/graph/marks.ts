/** The mark of a node says what kind of thing it is; its colour only helps to see the score that stands in it. */

export type Mark = 'circle' | 'square' | 'diamond' | 'hexagon'

const ADDRESSES = new Set(['ip', 'cidr', 'mac', 'asn', 'port'])
const NAMES = new Set(['domain', 'hostname', 'url', 'email', 'email-address', 'link', 'uri'])
const FILES = /^(?:file|payload|malware-sample|md5|sha\d|sha3-|authentihash|cdhash|imphash|ssdeep)/

export const MARKS: readonly { mark: Mark; meaning: string }[] = [
  { mark: 'circle', meaning: 'address or network' },
  { mark: 'square', meaning: 'name, URL or mail address' },
  { mark: 'diamond', meaning: 'file or digest' },
  { mark: 'hexagon', meaning: 'anything else' },
]

/** Every reputation, for legends. */
export const SCORES = [-3, -2, -1, 0, 1, 2, 3] as const

export function markOf(type: string): Mark {
  if (ADDRESSES.has(type)) return 'circle'
  if (NAMES.has(type)) return 'square'
  return FILES.test(type) ? 'diamond' : 'hexagon'
}
