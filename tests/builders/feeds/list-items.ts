import type { FeedFacts, FeedFormat, FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'

/** Items of a feed, and what a format makes of them. */

export const SEEN = Date.UTC(2026, 0, 2, 3, 4, 5, 6)

export const FACTS: FeedFacts = {
  id: '0198c1f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  name: 'Block "list", all of it',
  sequence: 7,
  updatedAt: SEEN,
  isPublic: true,
}

/** An item of a feed; its id follows from type and value. */
export const listItem = (type: string, value: string, rest: Partial<FeedItem> = {}): FeedItem => ({
  entityId: entityId(type, value),
  type,
  value,
  reputation: -3,
  accuracy: 2,
  tags: ['c2'],
  firstSeen: SEEN,
  lastSeen: SEEN + 60_000,
  ...rest,
})

export type Written = { bytes: Buffer; skipped: number }

/** What a format writes of items. */
export function writtenOf({ write }: FeedFormat, items: Iterable<FeedItem>, facts: FeedFacts = FACTS): Written {
  const { add, end, skipped } = write!(facts)
  const chunks: Buffer[] = []
  for (const item of items) {
    const chunk = add(item)
    if (chunk !== null) chunks.push(chunk)
  }
  chunks.push(...end())
  return { bytes: Buffer.concat(chunks), skipped: skipped() }
}

const takes = ({ types }: FeedFormat, { type }: FeedItem): boolean => types === 'any' || types.includes(type)

/** The items that a format carries, each asked for alone. */
export const carriedBy = (format: FeedFormat, items: readonly FeedItem[]): FeedItem[] =>
  items.filter((item) => takes(format, item) && writtenOf(format, [item]).skipped === 0)

/** The small list of which each format has a golden file. */
export const GOLDEN: readonly FeedItem[] = [
  listItem('ip', '203.0.113.9', { tags: ['botnet', 'c2 server'] }),
  listItem('cidr', '203.0.113.0/24', { accuracy: 3 }),
  listItem('ip', '2001:db8::9', { reputation: -2, tags: [] }),
  listItem('cidr', '2001:db8:8000::/33', { reputation: -2 }),
  listItem('domain', 'bad.example.com', { reputation: -2, tags: ['=2+5'] }),
  listItem('hostname', 'www.bad.example.com', { reputation: -1 }),
  listItem('hostname', 'bad.example.com', { reputation: -1 }),
  listItem('domain', 'xn--mnchen-3ya.example', { reputation: -1, accuracy: 1 }),
  listItem('domain', 'co.uk'),
  listItem('url', 'http://bad.example.com:8080/a?b=1,2'),
  listItem('url', 'https://user:secret@bad.example.com/'),
  listItem('url', 'https://[2001:db8::1]'),
  listItem('md5', 'd41d8cd98f00b204e9800998ecf8427e'),
  listItem('sha1', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'),
  listItem('sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
  listItem('email-address', "o'neil@example.com", { reputation: 0, accuracy: 0 }),
  listItem('filename', '#invoice\u{202e}fdp.exe'),
  listItem('command', '=cmd|"/c calc"!a1, then\nmore'),
  listItem('asn', '64496', { reputation: 2, accuracy: 1 }),
]
