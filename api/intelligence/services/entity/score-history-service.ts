import type { History } from '../../../../connectors/history/port.ts'
import {
  type RetractionRow,
  retractionsSince,
  type StepRow,
  statementsAlong,
} from '../../../../connectors/history/sql/queries/evidence-queries.ts'
import { type ScoredClaim, score } from '../../../../schemas/intelligence/scoring/score.ts'
import { effectiveClaimAt, type Step } from '../../../../schemas/intelligence/scoring/score-history.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { decide } from '../../../../schemas/intelligence/state/verdict.ts'
import { invalid } from '../../../http/errors.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'
import { givenVerdicts, verdictAt } from './verdicts-service.ts'

export type ScorePoint = { at: string; reputation: number; accuracy: number; claims: number }

/** What is known at a point. */
type Known = { marked: boolean; claims: readonly ScoredClaim[] }

const MAX_RETRACTIONS = 100_000
/** Sources and audiences, each as often as it spoke between two points. */
const MAX_STEPS = 200_000

/**
 * The score of an entity at several times for one reader: at each what its evidence says (ADR 102), from one read of the
 * records instead of one for each time (ADR 269).
 */
export function scoreHistoryOf(history: Pick<History, 'query'>, entities: EntityViews) {
  const given = givenVerdicts(history)

  /**
   * Of each point before everything is as the rows hold it. `later`: retractions after the first point, the last first;
   * what a source is trusted with is that of its claim today, or of the next retraction that took its claim away.
   */
  async function pastOf(reader: Reader, rows: readonly EntityState[], at: readonly number[], later: RetractionRow[]) {
    if (at.length === 0) return () => ({ marked: false, claims: [] })
    const { entityId, type } = rows[0]!
    const question = { entityId, type, at, audiences: reader.audiences }
    const stepRows = await history.query<StepRow>(statementsAlong(question, MAX_STEPS + 1))
    if (stepRows.length > MAX_STEPS) throw invalid('points', 'this entity has too many sources; request fewer points')
    const held = new Map(
      rows.flatMap((row) => row.claims.map((claim) => [`${row.audience} ${claim.source}`, claim.trust])),
    )
    const taken = Map.groupBy(later, keyOf)
    const spoken = Map.groupBy(stepRows, keyOf)
    const sources = [...spoken].map(([key, steps]) => ({ key, source: steps[0]!.source, steps: steps.map(stepOf) }))
    const marks = stepRows
      .filter((row) => row.marked === 1)
      .map((row) => ({ from: row.point - 1, to: row.unmarked === 0 ? Number.POSITIVE_INFINITY : row.unmarked - 1 }))
    return (point: number): Known => ({
      marked: marks.some(({ from, to }) => from <= point && point < to),
      claims: sources.flatMap(({ key, source, steps }) => {
        const trust = held.get(key) ?? taken.get(key)?.findLast(({ made }) => Number(made) > at[point]!)?.trust
        const effective = effectiveClaimAt(steps, point)
        return trust === undefined || effective === null ? [] : [{ ...effective, source, trust }]
      }),
    })
  }

  /** At each of these times (unix milliseconds, ascending, at least one); null when the reader knows no such entity. */
  return async (reader: Reader, id: string, at: readonly number[]): Promise<ScorePoint[] | null> => {
    const rows = (await entities.states(reader, [id])).get(id)
    if (rows === undefined) return null
    const { entityId, type } = rows[0]!
    const since = { entityId, since: at[0]!, audiences: reader.audiences }
    const later = await history.query<RetractionRow>(retractionsSince(since, MAX_RETRACTIONS + 1))
    if (later.length > MAX_RETRACTIONS) throw new Error(`${entityId} has more than ${MAX_RETRACTIONS} retractions`)
    // From here on the rows say what there is.
    let settled = Math.max(0, ...rows.map((row) => (row.claims.length > 0 ? row.lastSeen : 0)))
    for (const { made } of later) settled = Math.max(settled, Number(made))
    const past = at.filter((time) => time < settled)
    const [rules, known, verdicts] = await Promise.all([
      entities.scoring(),
      pastOf(reader, rows, past, later),
      given(rows[0]!, reader.own, at.at(-1)!),
    ])
    const today: Known = {
      marked: rows.some((row) => row.wellKnown || row.covered),
      claims: rows.flatMap((row) => row.claims),
    }
    return at.map((time, point) => {
      const { marked, claims } = point < past.length ? known(point) : today
      const held = verdictAt(verdicts, time)?.held ?? null
      const shown = decide(score(type, claims, time, rules), { wellKnown: marked, covered: false }, held)
      const { reputation, accuracy } = shown
      return { at: new Date(time).toISOString(), reputation, accuracy, claims: claims.length }
    })
  }
}

export type ScoreHistoryOf = ReturnType<typeof scoreHistoryOf>

const keyOf = ({ audience, source }: { audience: string; source: string }): string => `${audience} ${source}`

const stepOf = (row: StepRow): Step => ({
  kind: row.kind,
  reputation: row.reputation,
  statedAt: Number(row.said),
  statedOffset: Number(row.said_offset),
  last: Number(row.last),
  point: row.point - 1,
  gone: row.gone === 0 ? Number.POSITIVE_INFINITY : row.gone - 1,
})
