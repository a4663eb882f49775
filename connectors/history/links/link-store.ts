import type { Stated } from '../../../schemas/intelligence/observations/relation.ts'
import type { History } from '../port.ts'
import { isInViews, latestRows } from '../sql/queries/entities-queries.ts'
import { type FirstLinkRow, firstLinks } from '../sql/queries/relations-queries.ts'
import { type EndRow, endRows, type NewestLinkRow, newestLinks } from '../sql/queries/relationships.ts'
import {
  type End,
  LINKS_OF_EACH,
  type LinkStore,
  MOST_ENTITIES,
  MOST_LINKS,
  MOST_RELATIONS,
  type Relation,
  type RelationBounds,
  type Relations,
} from './port.ts'

/** Entities of one query: their ids are some 160 bytes in its parameters, and its answer has `each` links of each. */
const ENTITIES_A_QUERY = 250
/** Ends of one query: only their keys stand in it. */
const ENDS_A_QUERY = 5_000

type Asking = { history: Pick<History, 'query'>; audiences: readonly bigint[]; signal: AbortSignal | undefined }

/** As `LinkStore.relationsOf`. */
async function readRelations(
  history: Pick<History, 'query'>,
  entityIds: readonly string[],
  audiences: readonly bigint[],
  { each = LINKS_OF_EACH, incoming = false }: RelationBounds,
  signal?: AbortSignal,
): Promise<Relations> {
  const ids = [...new Set(entityIds)]
  if (ids.length > MOST_ENTITIES) throw new RangeError(`more than ${MOST_ENTITIES} entities: ${ids.length}`)
  if (!(Number.isInteger(each) && each > 0 && each * ids.length <= MOST_RELATIONS))
    throw new RangeError(`${each} links of each of ${ids.length} entities are out of 1 to ${MOST_RELATIONS} in all`)
  if (ids.length === 0 || audiences.length === 0) return { relations: [], cut: new Set() }
  const asking = { history, audiences, signal }
  const found = await linksOf(asking, ids, each, incoming)
  const named = [...found].flatMap(([id, links]) => [id, ...links.map(({ related_id }) => related_id)])
  const ends = await endsOf(asking, [...new Set(named)])
  const all = ids.flatMap((id) => found.get(id)?.slice(0, each) ?? [])
  return {
    relations: all.flatMap((row) => relationOf(row, ends) ?? []),
    cut: new Set(ids.filter((id) => (found.get(id)?.length ?? 0) > each)),
  }
}

/** The links of those entities that have some; one more than `each` says that there are more. */
async function linksOf(
  { history, audiences, signal }: Asking,
  ids: readonly string[],
  each: number,
  incoming: boolean,
): Promise<Map<string, NewestLinkRow[]>> {
  const rows: NewestLinkRow[] = []
  for (let i = 0; i < ids.length; i += ENTITIES_A_QUERY) {
    const some = newestLinks({ ids: ids.slice(i, i + ENTITIES_A_QUERY), audiences, each: each + 1, incoming })
    for (const row of await history.query<NewestLinkRow>(some, signal)) rows.push(row)
  }
  return Map.groupBy(rows, (row) => row.entity_id)
}

/** Those of these entities that the reader is shown: one of which every report was taken back is not (ADR 270). */
async function endsOf({ history, audiences, signal }: Asking, ids: readonly string[]): Promise<Map<string, End>> {
  const wanted = new Set(ids)
  const ends = new Map<string, End>()
  for (let i = 0; i < ids.length; i += ENDS_A_QUERY) {
    const rows = await history.query<EndRow>(endRows(ids.slice(i, i + ENDS_A_QUERY), audiences), signal)
    for (const { entity_id, type, value } of latestRows(rows).filter(isInViews))
      if (wanted.has(entity_id)) ends.set(entity_id, { entityId: entity_id, type, value })
  }
  return ends
}

/** null: one of its ends is not shown to the reader. */
function relationOf(row: NewestLinkRow, ends: ReadonlyMap<string, End>): Relation | null {
  const [own, other] = [ends.get(row.entity_id), ends.get(row.related_id)]
  if (own === undefined || other === undefined) return null
  const [from, to] = row.outgoing === 1 ? [own, other] : [other, own]
  const { mode, relationship } = row
  const times = { firstSeen: Number(row.first), lastSeen: Number(row.last) }
  return { of: row.entity_id, from, to, mode, relationship: relationship === '' ? null : relationship, ...times }
}

/** Links of one statement: some 160 bytes each in its parameters. */
const LINKS_A_QUERY = 1_000

/** Reads of links in the tables of `history`: those that are live when it is the live history. */
export const linkStore = (history: Pick<History, 'query'>): LinkStore => ({
  async firstOffsets(links, audiences, signal) {
    if (links.length > MOST_LINKS) throw new RangeError(`more than ${MOST_LINKS} links: ${links.length}`)
    const first = new Map<string, number>()
    if (audiences.length > 0)
      for (let i = 0; i < links.length; i += LINKS_A_QUERY) {
        const some = firstLinks(links.slice(i, i + LINKS_A_QUERY), audiences)
        // A version is the offset after that of its record.
        for (const { entity_id, related_id, mode, version } of await history.query<FirstLinkRow>(some, signal))
          first.set(nameOf({ source: entity_id, target: related_id, mode }), Number(version) - 1)
      }
    return links.map((link) => first.get(nameOf(link)) ?? null)
  },

  relationsOf: (entityIds, audiences, bounds = {}, signal) =>
    readRelations(history, entityIds, audiences, bounds, signal),
})

const nameOf = ({ source, target, mode }: Stated): string => `${mode} ${source} ${target}`
