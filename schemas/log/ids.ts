import { hash } from 'node:crypto'

/**
 * A UUID (version 8, RFC 9562) that follows from a name: the same name, the same id. What is derived from a log record
 * or a line of a feed gets one, so that deriving it again is recognised.
 */
export function namedUuid(name: string): string {
  const hex = hash('sha1', name, 'hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
