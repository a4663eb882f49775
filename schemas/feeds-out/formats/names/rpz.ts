import type { FeedFacts, FeedFormat } from '../format.ts'
import { coveringLines } from './lines.ts'
import { NAME_TYPES } from './name.ts'

const ZONE = 'rpz.harrier'
const MAX_NAME = 253
const SERIALS = 2 ** 32

/**
 * Refresh and retry: a secondary asks every five minutes, and every minute after a failure. It drops the zone after 30
 * days without an answer, the time for which deltas are kept. Seconds.
 */
const TIMERS = '300 60 2592000 60'

/** The serial of the zone: of the sequence, at least 1 (decisions 11.6). 32 bits, which DNS compares in a circle. */
const serialOf = ({ sequence }: FeedFacts): number => Math.max(1, sequence) % SERIALS

const header = (facts: FeedFacts): string =>
  `$TTL 60\n$ORIGIN ${ZONE}.\n@ SOA localhost. hostmaster.${ZONE}. ${serialOf(facts)} ${TIMERS}\n@ NS localhost.\n`

/** A response policy zone: the name and all below it do not exist. What is too long inside of the zone is left out. */
export const rpz: FeedFormat = {
  name: 'rpz',
  mediaType: 'text/dns; charset=utf-8',
  extension: 'zone',
  readBy: 'named-checkzone, dnspython',
  types: NAME_TYPES,
  write: coveringLines({
    begin: header,
    lineOf: (name) => `${name} CNAME .\n*.${name} CNAME .\n`,
    longest: MAX_NAME - `*..${ZONE}`.length,
  }),
}
