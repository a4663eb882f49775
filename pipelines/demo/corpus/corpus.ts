import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { feedProvenance } from '../../../schemas/intelligence/observations/feed.ts'
import type {
  Provenance,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../schemas/intelligence/observations/observation.ts'
import type { CorpusSettings } from '../../../schemas/operation/demo-load.ts'
import { addressSpace } from './corpus-networks.ts'
import { type Dice, dice } from './dice.ts'
import { entitiesOf, type Maker, type PlannedEntity } from './entities.ts'
import { ALLOWLIST, CERT, COMMUNITY, FEEDS, opinion, speakersOf } from './feeds.ts'
import { type Group, groups } from './groups.ts'
import { mint } from './mint.ts'
import { DAY, type Rhythm, rhythm } from './rhythm.ts'

/** A report of the corpus before it is written out. */
type Draft = {
  about: PlannedEntity
  /** Number of the feed. */
  feed: number
  /** Unix milliseconds. */
  at: number
  reputation: number | null
  /** The first one of its entity says what it has to do with others. */
  first: boolean
  mark: boolean
  restricted: boolean
}

const HOUR = 3_600_000
/** How often a second, a third and a fourth source speaks of an entity. */
const MORE = [0.42, 0.5, 0.45] as const
const REPEATED = 0.16
const RESTRICTED = 0.03
/** Share of entities that several sources report on for weeks, with statements that change. */
const LASTING = 0.006

/** The reports about one entity, in no order; all of them lie in the window. */
function draftsOf(about: PlannedEntity, dice: Dice, rhythm: Rhythm): Draft[] {
  const { theme, severity, born } = about.group
  const { from, to } = rhythm
  const first = Math.min(to, Math.max(from, born(dice)))
  const drafts: Draft[] = []
  const speakers = [...speakersOf(about.type, theme)]

  function say(feed: number, time: number, grade = severity): void {
    const at = Math.floor(time)
    if (at > to) return
    const reputation = opinion(FEEDS[feed]!, theme.nature, grade, dice)
    drafts.push({ about, feed, at, reputation, first: drafts.length === 0, mark: false, restricted: false })
  }
  function takeFeed(): number {
    const feed = dice.weighted(speakers)
    if (speakers.length > 1)
      speakers.splice(
        speakers.findIndex(([known]) => known === feed),
        1,
      )
    return feed
  }

  say(takeFeed(), first)
  if (dice.chance(LASTING)) {
    const voices = Array.from({ length: 3 + dice.below(3) }, () => (speakers.length > 0 ? takeFeed() : drafts[0]!.feed))
    // From harmless over alarming to harmless again, at some point of which the window ends.
    const began = Math.min(first, from + dice.next() * 0.6 * (to - from))
    for (const feed of new Set(voices))
      for (let at = began + dice.after(2 * DAY); at < to; at += DAY + dice.after(4 * DAY)) {
        const through = (at - began) / (to - began)
        say(feed, rhythm.moment(dice, at - HOUR, at), 1 + 2 * Math.sin(through * Math.PI))
      }
    return drafts
  }
  for (const more of MORE) {
    if (speakers.length === 0 || !dice.chance(more)) break
    const feed = takeFeed()
    const at = first + dice.after(FEEDS[feed]!.delay * HOUR)
    say(feed, at <= to ? rhythm.moment(dice, at, at + DAY) : at)
  }
  for (const { feed, at } of [...drafts]) if (dice.chance(REPEATED)) say(feed, at + DAY + dice.after(6 * DAY))
  if (theme.nature === 'malicious' && dice.chance(RESTRICTED)) {
    say(CERT, first + dice.after(DAY))
    const last = drafts.at(-1)!
    if (last.feed === CERT && !last.first) last.restricted = true
  }
  return drafts
}

/** The covering marks, a moment after the window begins, and the sources that report marked or covered entities. */
function marksOf(
  marked: readonly PlannedEntity[],
  covered: readonly PlannedEntity[],
  dice: Dice,
  rhythm: Rhythm,
): Draft[] {
  const { from, to } = rhythm
  const draft = { reputation: null, first: false, mark: false, restricted: false }
  return [
    ...marked.map((about): Draft => ({ ...draft, about, feed: ALLOWLIST, at: from, first: true, mark: true })),
    ...covered.map((about): Draft => ({ ...draft, about, feed: ALLOWLIST, at: from + 1, reputation: 1, first: true })),
    ...[...marked, ...covered].flatMap((about): Draft[] => {
      if (!dice.chance(0.5)) return []
      const at = rhythm.moment(dice, from + DAY, to)
      return [{ ...draft, about, feed: COMMUNITY, at, reputation: -1 - dice.below(3) }]
    }),
  ]
}

/** Reserved names that stand for what everybody uses, and a network of documentation addresses (RFC 5737) that covers. */
const KNOWN: readonly (readonly [string, string])[] = [
  ['domain', 'example.com'],
  ['domain', 'example.net'],
  ['domain', 'example.org'],
  ['domain', 'search.example'],
  ['domain', 'mail.example'],
  ['domain', 'updates.example'],
  ['domain', 'cdn.example'],
  ['domain', 'time.example'],
  ['hostname', 'www.example.com'],
  ['ip', '192.0.2.53'],
  ['ip', '2001:db8::53'],
  ['cidr', '203.0.113.0/24'],
]
/** Addresses of that network, some of which are blamed all the same. */
const COVERED = 8

const NETWORK = { asn: '64496', aso: 'Commons Resolver Example', country: 'Switzerland' }

/** The entities that are marked as well known, followed by the entities under such a mark. */
function wellKnownEntities(born: number): { marked: PlannedEntity[]; covered: PlannedEntity[] } {
  const group: Group = {
    theme: { nature: 'benign', tags: ['well-known'], kinds: [] },
    family: null,
    severity: 1,
    size: KNOWN.length + COVERED,
    born: () => born,
  }
  const plan = (type: string, value: string): PlannedEntity => {
    const attributes: Record<string, string> = type === 'ip' || type === 'cidr' ? { ...NETWORK } : {}
    return { type, value, attributes, tags: group.theme.tags, links: [], group }
  }
  return {
    marked: KNOWN.map(([type, value]) => plan(type, value)),
    covered: Array.from({ length: COVERED }, (_, i) => plan('ip', `203.0.113.${10 + i * 7}`)),
  }
}

/** One report, as a feed would make it; `line` counts from 1, in the order of time. */
export type DemoReport = { line: number; entity: SubmittedEntity; provenance: Provenance }

export type Corpus = {
  entities: number
  /** How many reports there are. */
  reports: number
  /** Those after `line`, in order. */
  after(line: number): Generator<DemoReport>
}

/** The group of readers of restricted reports: without members until an administrator adds one. */
export const DEMO_GROUP = 'demo-analysts'

/** Number of entities that are planned before the processor is yielded. */
const STEP = 500

/**
 * An invented history of reports of exactly the given number of entities, over the given number of days. The same
 * settings give the same corpus in every process. Planning yields now and then, so that a process that also serves
 * requests can do so. No value in it names anything that exists (ADR 281).
 */
export function* planCorpus({ entities, days, seed, end }: CorpusSettings): Generator<void, Corpus> {
  const chance = dice(seed)
  const time = rhythm(end - days * DAY, end)
  const made = mint(seed, chance)
  const maker: Maker = {
    dice: chance,
    mint: made,
    space: addressSpace(chance),
    systems: new Set(),
    count: { cve: 0, actor: 0 },
  }
  const next = groups(chance, time, made.family)

  const { marked, covered } = wellKnownEntities(time.from)
  const drafts = marksOf(marked, covered, chance, time)
  let planned = marked.length + covered.length
  let pause = STEP
  while (planned < entities) {
    const left = entities - planned
    // A campaign takes a quarter of a small corpus at most.
    for (const entity of entitiesOf(next(Math.min(left, Math.max(24, entities >> 2))), maker)) {
      for (const draft of draftsOf(entity, chance, time)) drafts.push(draft)
      planned++
    }
    if (planned > pause) {
      pause = planned + STEP
      yield
    }
  }
  // Sorting is stable: of one moment, in the order in which they were planned.
  drafts.sort((a, b) => a.at - b.at)
  yield
  return {
    entities: planned,
    reports: drafts.length,
    *after(line) {
      for (let i = line; i < drafts.length; i++) yield reportOf(drafts[i]!, i + 1)
    },
  }
}

function reportOf(draft: Draft, line: number): DemoReport {
  const { about, feed, at, reputation, first, mark, restricted } = draft
  const entity: SubmittedEntity = {
    type: about.type,
    attributes: { ...about.attributes, [about.type]: about.value },
    reputation,
  }
  // Sightings and marks say no more than that.
  if (!mark && reputation !== null && reputation < 0) entity.tags = [...about.tags]
  if (first && about.links.length > 0) entity.associations = about.links.map(associationOf)
  const audience = [restricted ? DEMO_GROUP : PUBLIC]
  return { line, entity, provenance: feedProvenance(FEEDS[feed]!, mark ? 'well_known' : 'report', audience, at) }
}

/** With its place, or an address that is named before it is reported would have none. */
const associationOf = ({ mode, to }: PlannedEntity['links'][number]): SubmittedAssociation => ({
  mode,
  type: to.type,
  attributes: { ...(to.type === 'ip' || to.type === 'cidr' ? to.attributes : {}), [to.type]: to.value },
})
