import type { Described, History, RetractionStore } from '../port.ts'
import { type StatementRow, statementsUntil } from '../sql/queries/evidence-queries.ts'
import {
  anythingOf,
  type GoneAttributeRow,
  type GoneTagsRow,
  goneAttributes,
  goneTags,
  type HeldRow,
  heldBefore,
  type ReportedRow,
  type RetractedRow,
  reportedBetween,
  retractedOf,
} from '../sql/queries/retract-queries.ts'

/** What a source said, as the history store knows it. */
export const retractionStore = (history: Pick<History, 'query'>): RetractionStore => ({
  async known(source) {
    return (await history.query(anythingOf(source))).length > 0
  },

  async reported(q, limit) {
    const rows = await history.query<ReportedRow>(reportedBetween(q, limit))
    return rows.map(({ id, type, value, audience, inside }) => ({
      entityId: id,
      type,
      value,
      audience: BigInt(audience),
      inside: inside === 1,
    }))
  },

  async held(source, before, entityIds) {
    const rows = await history.query<HeldRow>(heldBefore({ source, before, entityIds }))
    return rows.map((row) => ({ entityId: row.id, ...heldOf(row) }))
  },

  async heldStill(source, before, { entityId, type, audience }, now) {
    const question = { entityId, type, audiences: [audience], until: before - 1, retractedUntil: now, source }
    const [row] = await history.query<StatementRow>(statementsUntil(question, 1))
    return row === undefined || row.records === '0' ? null : { entityId, ...heldOf(row) }
  },

  async described(q) {
    if (q.entityIds.length === 0) return []
    const [tags, attributes] = await Promise.all([
      history.query<GoneTagsRow>(goneTags(q)),
      history.query<GoneAttributeRow>(goneAttributes(q)),
    ])
    const found = new Map<string, Described>()
    const of = ({ id, audience }: { id: string; audience: string }): Described => {
      const key = `${id} ${audience}`
      const known = found.get(key) ?? { entityId: id, audience: BigInt(audience), tags: [], attributes: [] }
      found.set(key, known)
      return known
    }
    for (const row of tags) of(row).tags.push(...row.gone)
    for (const row of attributes) {
      const kept = row.kept_at === '0' ? null : { value: row.kept, at: Number(row.kept_at) }
      of(row).attributes.push({ name: row.name, kept, gone: { value: row.gone, at: Number(row.gone_at) } })
    }
    return [...found.values()]
  },

  async retracted(source, entityIds) {
    const rows = await history.query<RetractedRow>(retractedOf({ source, entityIds }))
    return rows.map(({ id, audience, from, to, made }) => ({
      entityId: id,
      audience: BigInt(audience),
      from: Number(from),
      to: Number(to),
      at: Number(made),
    }))
  },
})

const heldOf = (row: Omit<HeldRow, 'id'>) => ({
  audience: BigInt(row.audience),
  sourceKind: row.kind,
  reputation: row.reputation,
  claimedAt: Number(row.claimed),
  at: Number(row.last),
})
