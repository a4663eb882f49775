/** What is known around a value, whether it is known itself or not (ADR 268). Nothing is written, and nothing asked outside. */

import type { Geo } from '../../../../connectors/geo/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { LookupSource } from '../../../../connectors/lookups/port.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import {
  isName,
  nameWithoutEnd,
  nearForms,
  parentsOf,
  type Subject,
  subjectOf,
} from '../../../../schemas/intelligence/ingest/around.ts'
import { namesOneSlipAway } from '../../../../schemas/intelligence/ingest/near-names.ts'
import type { Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { beginningWith, below, carrying, inside } from '../../../../schemas/intelligence/search/around.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Coverings } from '../entity/covering.ts'
import { entityRecord } from '../entity/entity-record.ts'
import type { EntityViews } from '../entity/entity-views.ts'
import type { Reader } from '../readers.ts'
import { advancedEntities } from './entity-search-service.ts'
import type { Weight } from './search-bounds.ts'

/** Entities of each list, the worst first. */
export const LISTED = 20
/** Known names that an unknown one may be a misspelling of. */
const MAX_NEAR = 5

export type AroundPorts = {
  entities: Pick<EntityViews, 'views'>
  lookups: LookupSource
  networks: Coverings
  geo: Pick<Geo, 'locate'>
  scoring: Scoring
}

/** What a search around this text may cost: names that only begin alike are found by reading all. */
export const weightAround = (text: string): Weight => (nameWithoutEnd(text) === null ? 'light' : 'heavy')

export function aroundValues({ entities, lookups, networks, geo, scoring }: AroundPorts) {
  async function listed(store: Pick<History, 'query'>, reader: Reader, clause: Clause | null) {
    if (clause === null) return undefined
    const source = { includes: [], excludes: [] }
    const search = { clause, aggs: new Map(), source, after: null, collapse: null }
    const sort = { field: { name: 'reputation', kind: 'number' }, order: 'asc' } as const
    const { items, results } = await advancedEntities(
      { history: store, lookups },
      reader,
      search,
      { sort, limit: LISTED, page: 1 },
      scoring,
    )
    // Nothing was left out of the records.
    return { items, results: results.map(({ sort: _, ...entity }) => entity as ReturnType<typeof entityRecord>) }
  }

  async function known(reader: Reader, subjects: readonly Subject[]) {
    const ids = subjects.map(({ type, value }) => entityId(type, value))
    const views = await entities.views(reader, ids)
    return ids.map((id) => views.get(id)).map((view) => (view === undefined ? null : entityRecord(view)))
  }

  /** Of a text of no known form: what it nearly is. `store` asks within the bounds of searches. */
  async function suggestions(store: Pick<History, 'query'>, reader: Reader, text: string) {
    const label = nameWithoutEnd(text)
    const near = nearForms(text)
    const named = label === null ? undefined : await listed(store, reader, beginningWith(label))
    const names = named?.results.map(({ attributes }) => ({ type: 'domain', value: attributes.domain! }))
    return [...near, ...(names ?? [])].slice(0, LISTED)
  }

  /** Of a name that the reader knows nothing of: the known domains that are one slip away, the worst first. */
  async function nearNames(reader: Reader, domain: string): Promise<Subject[]> {
    const near = await known(
      reader,
      namesOneSlipAway(domain).map((value) => ({ type: 'domain', value })),
    )
    return near
      .filter((entity) => entity !== null)
      .sort((a, b) => a.reputation - b.reputation)
      .slice(0, MAX_NEAR)
      .map(({ type, attributes }) => ({ type, value: attributes.domain! }))
  }

  return async (store: Pick<History, 'query'>, reader: Reader, text: string) => {
    const subject = subjectOf(text)
    if (subject === null) return { type: null, value: text.trim(), suggestions: await suggestions(store, reader, text) }
    const { type, value } = subject
    const above = isName(subject) ? parentsOf(value) : []
    const [self, ...parents] = await known(reader, [subject, ...above])
    const isUnknownName = isName(subject) && self === null && parents.every((parent) => parent === null)
    const isAddress = type === 'ip'
    const located = isAddress || type === 'cidr' ? geo.locate(value) : null
    const [coveredBy, within, names, children] = [
      isAddress ? ((await networks.covering(reader, [value])).get(value) ?? []) : undefined,
      await listed(store, reader, type === 'cidr' ? inside(subject) : null),
      await listed(store, reader, isAddress ? carrying(subject) : null),
      await listed(store, reader, isName(subject) ? below(subject) : null),
    ]
    return {
      id: entityId(type, value),
      type,
      value,
      known: self !== null,
      ...(located !== null && { location: { ...located, asn: located.asn === 0 ? null : located.asn } }),
      ...(coveredBy !== undefined && { coveredBy }),
      ...(within !== undefined && { inside: within }),
      ...(names !== undefined && { carriedBy: names }),
      ...(isName(subject) && {
        parents: above.map((parent, i) => ({ ...parent, id: entityId(parent.type, parent.value), known: parents[i]! })),
      }),
      ...(children !== undefined && { below: children }),
      suggestions: isUnknownName ? await nearNames(reader, above.at(-1)?.value ?? value) : [],
    }
  }
}

export type AroundValues = ReturnType<typeof aroundValues>
