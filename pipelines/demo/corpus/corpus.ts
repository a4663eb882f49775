import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { feedProvenance } from '../../../schemas/intelligence/observations/feed.ts'
import type {
  Provenance,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../schemas/intelligence/observations/observation.ts'
import type { CorpusSettings } from '../../../schemas/operation/demo-load.ts'
import { dice } from './dice.ts'
import { type Draft, draftsOf, marksOf } from './drafts.ts'
import { entitiesOf, type Maker, type PlannedEntity } from './entities.ts'
import { FEEDS } from './feeds.ts'
import { groups } from './groups.ts'
import { wellKnownEntities } from './known.ts'
import { mint } from './mint.ts'
import { addressSpace } from './networks.ts'
import { DAY, rhythm } from './rhythm.ts'

/** One report, as a feed would make it; `line` counts from 1, in the order of time. */
export type DemoReport = { line: number; entity: SubmittedEntity; provenance: Provenance }

export type Corpus = {
  entities: number
  /** How many reports there are. */
  reports: number
  /** Those after `line`, in order. */
  after(line: number): Generator<DemoReport>
}

/** Who reads what the rest may not: nobody, until somebody is put into it. */
export const DEMO_GROUP = 'demo-analysts'

/** Entities that are planned before somebody else may have the processor. */
const STEP = 500

/**
 * A made-up history of reports of exactly so many entities, over so many days. The same settings give the same corpus, in whatever process.
 * Planning yields now and then, so that a process that serves others can do so. Nothing of it names anything that is
 * somebody's (ADR 142).
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
