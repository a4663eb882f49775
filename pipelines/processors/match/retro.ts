import { readNetwork } from '../../../schemas/intelligence/compare/compare-networks.ts'
import { type NetworkDrawer, networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import type { FieldName } from '../../../schemas/match/event.ts'
import { rowMark } from '../../../schemas/match/ledger.ts'
import type { Match, MatchedEntity } from '../../../schemas/match/match.ts'
import { retroId, summaryId } from '../../../schemas/match/match-id.ts'
import { subjectOf } from '../../../schemas/match/subject.ts'
import { MATCHES_A_SECOND } from './forward.ts'

/** A row of the ledger of one owner; times are unix milliseconds. */
export type MetRow = {
  value: string
  field: string
  hour: number
  count: number
  first: number
  last: number
  hosts: readonly string[]
  refs: readonly string[]
}

/** A retro match that is there already. */
export type Told = { id: string; entityId: string; field: string; summary: boolean; count: number; matchedAt: number }

/** What was told of some entities before. */
export type ToldBefore = {
  /** Events of rows that a forward match was told for, by entity. */
  forward: ReadonlyMap<string, ReadonlyMap<bigint, number>>
  /** By id. */
  retro: ReadonlyMap<string, Told>
}

/** Indicators that came into the index of an owner, found by the values that they match. */
export function entering(entities: readonly MatchedEntity[]) {
  const byValue = new Map<string, MatchedEntity[]>()
  const networks: NetworkDrawer<MatchedEntity> = networkDrawer()
  for (const entity of entities) {
    const network = entity.type === 'cidr' ? readNetwork(entity.value) : null
    if (network !== null && !('reason' in network)) networks.add(network, entity)
    else byValue.set(entity.value, [...(byValue.get(entity.value) ?? []), entity])
  }
  /** Those that a value of a field matches: as `Indicators.candidates`, of these alone. */
  return (field: string, value: string): readonly MatchedEntity[] => {
    const subject = subjectOf(field as FieldName, value)
    if (subject === null) return []
    const found: MatchedEntity[] = []
    for (const { value: text, types } of subject.lookups)
      for (const entity of byValue.get(text) ?? []) if (types.includes(entity.type)) found.push(entity)
    if (subject.address !== null) networks.find({ type: 'ip', value: subject.address }, found)
    return found
  }
}

/**
 * The retro matches of rows of the ledger with indicators that came into the index (decisions 14.3): one for each row and
 * entity, for the events that no forward match was told for. What was told before and says the same is left out, so it
 * may be asked again and again. Takes rows in any order and portion; `finish` gives the summaries.
 * @param matchedAt unix milliseconds; a match that grew keeps the time at which it was told first
 */
export function retroMatches(
  owner: string,
  matchedBy: ReturnType<typeof entering>,
  before: ToldBefore,
  matchedAt: number,
) {
  let told = 0
  const summaries = new Map<string, Match>()

  function matchOf(row: MetRow, entity: MatchedEntity, count: number): Match | null {
    const id = retroId(owner, row, entity.id)
    const known = before.retro.get(id)
    if (known !== undefined && known.count === count) return null
    const summary = summaryId(owner, 'retro', row.field, entity.id)
    if (known === undefined && (told >= MATCHES_A_SECOND || before.retro.has(summary))) {
      addToSummary(summary, row, entity, count)
      return null
    }
    if (known === undefined) told++
    const { value, field, first, last, hosts, refs } = row
    const host = hosts.length === 1 ? hosts[0]! : null
    return {
      id,
      direction: 'retro',
      summary: false,
      at: last,
      matchedAt: known?.matchedAt ?? matchedAt,
      event: { id: null, at: first, lastAt: last, count, kind: null, host, user: null, field, value, refs },
      entity,
    }
  }

  function addToSummary(id: string, { field, first, last }: MetRow, entity: MatchedEntity, count: number): void {
    const known = summaries.get(id)
    const event = known?.event
    const of = { kind: null, host: null, user: null, field, value: '', refs: [] }
    summaries.set(id, {
      id,
      direction: 'retro',
      summary: true,
      at: Math.max(known?.at ?? last, last),
      matchedAt: before.retro.get(id)?.matchedAt ?? matchedAt,
      event: {
        id: null,
        at: Math.min(event?.at ?? first, first),
        lastAt: Math.max(event?.lastAt ?? last, last),
        count: (event?.count ?? 0) + count,
        ...of,
      },
      entity,
    })
  }

  return {
    of(rows: readonly MetRow[]): Match[] {
      const found: Match[] = []
      for (const row of rows)
        for (const entity of matchedBy(row.field, row.value)) {
          const forward = before.forward.get(entity.id)?.get(rowMark(row.value, row.field, row.hour)) ?? 0
          const match = row.count > forward ? matchOf(row, entity, row.count - forward) : null
          if (match !== null) found.push(match)
        }
      return found
    },
    finish: (): Match[] =>
      [...summaries.values()].filter(({ id, event }) => before.retro.get(id)?.count !== event.count),
  }
}
