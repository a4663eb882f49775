import { listName } from '../addresses/list-name.ts'
import { blockable } from '../addresses/network.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { isDigest } from '../hashes/digest.ts'
import { isBlockable } from '../names/name.ts'
import { requestOf } from '../urls/url-request.ts'
import { streamed } from '../writer.ts'

type Say = (item: FeedItem) => string | null

const address: Say = (item) => (blockable(item) === null ? null : item.value)
const name: Say = (item) => (isBlockable(item) ? item.value : null)
const digest: Say = (item) => (isDigest(item) ? item.value : null)
const asIs: Say = ({ value }) => (value === '' ? null : value)
/** Zeek compares host and path, which it reads from the request. */
const request: Say = (item) => {
  const seen = requestOf(item)
  return seen === null ? null : `${seen.authority}${seen.target}`
}
/** Zeek knows certificates by their SHA-1. */
const certificate: Say = ({ value }) => (/^[0-9a-f]{40}$/.test(value) ? value : null)

/** Types of entity with the kind that the framework knows them by. */
const KINDS: Readonly<Record<string, { kind: string; say: Say }>> = {
  ip: { kind: 'ADDR', say: address },
  cidr: { kind: 'SUBNET', say: address },
  domain: { kind: 'DOMAIN', say: name },
  hostname: { kind: 'DOMAIN', say: name },
  url: { kind: 'URL', say: request },
  'email-address': { kind: 'EMAIL', say: asIs },
  username: { kind: 'USER_NAME', say: asIs },
  filename: { kind: 'FILE_NAME', say: asIs },
  md5: { kind: 'FILE_HASH', say: digest },
  sha1: { kind: 'FILE_HASH', say: digest },
  sha256: { kind: 'FILE_HASH', say: digest },
  'certificate-fingerprint': { kind: 'CERT_HASH', say: certificate },
}
const TYPES = Object.keys(KINDS)

const COLUMNS = ['indicator', 'indicator_type', 'meta.source', 'meta.desc']

/** Signs that Zeek reads as they stand. A whole field of `-` or `(empty)` is none, and a line with `#` is a comment. */
const PLAIN = /^(?!#|-$|\(empty\)$)[\x20-\x5b\x5d-\x7e]+$/

/** Each byte as `\xHH`, as the reader of Zeek undoes it. */
const escaped = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

const field = (text: string): string => (PLAIN.test(text) ? text : escaped(text))

/** A file of the intelligence framework of Zeek (`Intel::read_files`). */
export const zeek: FeedFormat = {
  name: 'zeek',
  mediaType: 'text/tab-separated-values; charset=utf-8',
  extension: 'intel',
  readBy: null,
  types: TYPES,
  write: streamed(TYPES, (facts) => {
    const source = listName(facts)
    return {
      begin: `#fields\t${COLUMNS.join('\t')}\n`,
      say: (item) => {
        const { kind, say } = KINDS[item.type]!
        const said = say(item)
        if (said === null) return null
        const words = `reputation ${item.reputation}, accuracy ${item.accuracy}`
        return `${field(said)}\tIntel::${kind}\t${source}\t${words}\n`
      },
    }
  }),
}
