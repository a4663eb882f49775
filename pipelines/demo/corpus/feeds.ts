import type { Dice } from './dice.ts'
import type { Theme } from './themes.ts'

/** A made-up publisher, and how it speaks. */
export type DemoFeed = {
  /** Registered nowhere: nobody else writes under it. */
  name: string
  trust: number
  /** Types that it reports; null: all of them. */
  types: readonly string[] | null
  /** How often it is heard, beside the others. */
  weight: number
  /** Hours until it speaks of what is new, in the mean. */
  delay: number
  /** How much milder than the truth it speaks, and how far it strays. */
  mild: number
  strays: number
  /** How often it says the contrary. */
  wrong: number
  /** It says that it saw something, and no more. */
  sightings?: boolean
}

const FILES = ['sha256', 'sha1', 'md5', 'file', 'filename', 'ja3-fingerprint', 'certificate-fingerprint']

export const FEEDS: readonly DemoFeed[] = [
  {
    name: 'demo-honeypots',
    trust: 0.6,
    types: ['ip', 'cidr'],
    weight: 5,
    delay: 2,
    mild: 0.2,
    strays: 0.5,
    wrong: 0.01,
  },
  {
    name: 'demo-malware-lab',
    trust: 0.9,
    types: [...FILES, 'url', 'domain', 'malware', 'cve', 'adversary'],
    weight: 4,
    delay: 30,
    mild: -0.3,
    strays: 0.3,
    wrong: 0,
  },
  {
    name: 'demo-phishing-watch',
    trust: 0.75,
    types: ['url', 'domain', 'hostname', 'email-address'],
    weight: 5,
    delay: 3,
    mild: 0,
    strays: 0.6,
    wrong: 0.02,
  },
  {
    name: 'demo-spam-traps',
    trust: 0.5,
    types: ['ip', 'domain', 'url', 'email-address'],
    weight: 2.5,
    delay: 8,
    mild: 0.9,
    strays: 0.6,
    wrong: 0.06,
  },
  { name: 'demo-cert', trust: 0.95, types: null, weight: 1, delay: 60, mild: 0, strays: 0.2, wrong: 0 },
  { name: 'demo-community', trust: 0.35, types: null, weight: 3, delay: 20, mild: 0, strays: 1.3, wrong: 0.14 },
  {
    name: 'demo-isp',
    trust: 0.7,
    types: ['ip', 'cidr', 'asn', 'domain', 'hostname'],
    weight: 1.5,
    delay: 36,
    mild: 0.8,
    strays: 0.4,
    wrong: 0.1,
  },
  {
    name: 'demo-sensors',
    trust: 0.5,
    types: null,
    weight: 1.2,
    delay: 12,
    mild: 0,
    strays: 0,
    wrong: 0,
    sightings: true,
  },
  { name: 'demo-allowlist', trust: 0.85, types: [], weight: 0, delay: 48, mild: 0, strays: 0.3, wrong: 0 },
]

/** The one that vouches: for what is benign, and by marks. */
export const ALLOWLIST = FEEDS.length - 1
/** The one that tells some things to a group alone. */
export const CERT = FEEDS.findIndex(({ name }) => name === 'demo-cert')
/** Who cries wolf. */
export const COMMUNITY = FEEDS.findIndex(({ name }) => name === 'demo-community')

const clampReputation = (reputation: number): number => Math.max(-3, Math.min(3, Math.round(reputation))) + 0

/** Who may speak of a type, by number, with how often; all of them if it is benign. */
export const speakersOf = (type: string, { nature }: Pick<Theme, 'nature'>): (readonly [number, number])[] =>
  FEEDS.flatMap((feed, i): [number, number][] => {
    if (i === ALLOWLIST) return nature === 'benign' ? [[i, 6]] : []
    return feed.types === null || feed.types.includes(type) ? [[i, feed.weight]] : []
  })

/** What a feed claims of something that is as bad as `severity` (1 to 3); null: a sighting. */
export function opinion(
  { mild, strays, wrong, sightings }: DemoFeed,
  nature: Theme['nature'],
  severity: number,
  dice: Dice,
) {
  if (sightings) return null
  const stray = (dice.next() * 2 - 1) * strays
  const contrary = dice.chance(wrong)
  if (nature === 'malicious')
    return contrary ? 1 + dice.below(2) : Math.min(-1, clampReputation(mild - severity + stray))
  if (nature === 'benign') return contrary ? -1 - dice.below(2) : Math.max(1, clampReputation(4 - severity + stray))
  return dice.chance(0.4) ? null : clampReputation((dice.next() * 2 - 1.3) * 1.6 + stray)
}
