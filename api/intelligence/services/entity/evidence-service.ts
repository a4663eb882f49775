import type { History } from '../../../../connectors/history/port.ts'
import {
  type RetractionRow,
  retractionsSince,
  type StatementRow,
  statementsUntil,
} from '../../../../connectors/history/sql/queries/evidence-queries.ts'
import { halfLifeDays } from '../../../../schemas/intelligence/entities/half-life.ts'
import { type Contribution, evidence } from '../../../../schemas/intelligence/scoring/evidence.ts'
import { type Standing, standingOf } from '../../../../schemas/intelligence/scoring/standing.ts'
import type { Claim, EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { decide } from '../../../../schemas/intelligence/state/verdict.ts'
import type { Reader } from '../readers.ts'
import { type NameReporters, nameFeeds } from '../reporters.ts'
import type { EntityViews } from './entity-views.ts'
import { givenVerdicts, shownVerdict, verdictAt } from './verdicts-service.ts'

/** A claim and the audience that it was made to. */
type Made = Pick<Claim, 'source' | 'kind' | 'trust' | 'reputation' | 'claimedAt' | 'at' | 'firstSeen'> & {
  audience: bigint
}

type Known = { basis: 'claims' | 'history'; wellKnown: boolean; covered: boolean; claims: Made[] }

/** Sources of one entity that are looked at; beyond it the question fails rather than adding up wrongly. */
const MAX_CLAIMS = 100_000
/** Of them listed, the weightiest. */
const MAX_LISTED = 10_000

/** Why an entity has its score at a time, for one reader (ADR 102). */
export function evidenceOf(history: Pick<History, 'query'>, entities: EntityViews) {
  const given = givenVerdicts(history)

  /**
   * The claims as they stood: those of today when nothing came after `at`, else what the records up to then say that
   * were not retracted by then. The trust of a source is in no record; that of its claim today is taken, or of the claim
   * that was retracted since.
   */
  async function knownAt(reader: Reader, rows: readonly EntityState[], at: number): Promise<Known> {
    const now = rows.flatMap((row) => row.claims.map((claim) => ({ ...claim, audience: row.audience })))
    const { entityId, type } = rows[0]!
    const question = { entityId, audiences: reader.audiences }
    const later = await history.query<RetractionRow>(retractionsSince({ ...question, since: at }, MAX_CLAIMS + 1))
    if (later.length > MAX_CLAIMS) throw new Error(`${entityId} has more than ${MAX_CLAIMS} retractions`)
    if (later.length === 0 && at >= Math.max(0, ...rows.map((row) => (row.claims.length > 0 ? row.lastSeen : 0))))
      return {
        basis: 'claims',
        wellKnown: rows.some((row) => row.wellKnown),
        covered: rows.some((row) => row.covered),
        claims: now,
      }
    const statements = await history.query<StatementRow>(
      statementsUntil({ ...question, type, until: at }, MAX_CLAIMS + 1),
    )
    if (statements.length > MAX_CLAIMS) throw new Error(`${entityId} has more than ${MAX_CLAIMS} sources`)
    // The last first: of several retractions the next after `at` says what the claim weighed then.
    const trusts = new Map([...later, ...now].map((held) => [`${held.audience} ${held.source}`, held.trust]))
    const claims = statements.flatMap((row): Made[] => {
      const trust = trusts.get(`${row.audience} ${row.source}`)
      // Records are stored a moment before the claim that they lead to.
      return trust === undefined || row.records === '0' ? [] : [{ ...madeOf(row), trust }]
    })
    // That a mark came to cover it is no record of its own.
    return { basis: 'history', wellKnown: statements.some((row) => row.marked === 1), covered: false, claims }
  }

  /**
   * What the score of an entity follows from as of `at` (unix milliseconds); null when the reader knows no such entity.
   * `own` is the source that the reader itself is; `name` tells what it may know of others.
   */
  return async (reader: Reader, id: string, at: number, own: string | null, name: NameReporters = nameFeeds) => {
    const rows = (await entities.states(reader, [id])).get(id)
    if (rows === undefined) return null
    const { type } = rows[0]!
    const rules = await entities.scoring()
    const { basis, wellKnown, covered, claims } = await knownAt(reader, rows, at)
    const { reputation, accuracy, best, worst, fade, claims: weighed } = evidence(type, claims, at, rules)
    const decided = verdictAt(await given(rows[0]!, reader.own, at), at)
    const shown = decide({ reputation, accuracy }, { wellKnown, covered }, decided?.held ?? null)
    const listed = weighed.slice(0, MAX_LISTED)
    const reporterOf = await name(listed.map(({ claim }) => [claim.source]))
    return {
      entityID: id,
      at: iso(at),
      basis,
      reputation: shown.reputation,
      accuracy: shown.accuracy,
      bestReputation: best,
      worstReputation: worst,
      wellKnown,
      floored: shown.reputation !== (decided?.held?.reputation ?? reputation),
      ...(decided !== null && { verdict: shownVerdict(decided) }),
      rules: rules.id,
      formula: rules.formula,
      halfLifeDays: halfLifeDays(type, rules),
      fade,
      standing: shownStanding(standingOf(type, claims, at, rules)),
      items: weighed.length,
      claims: listed.map((made) => ({
        ...claimOf(made, at, reader, own),
        reporter: reporterOf([made.claim.source]),
      })),
    }
  }
}

export type EvidenceOf = ReturnType<typeof evidenceOf>

const madeOf = (row: StatementRow): Omit<Made, 'trust'> => ({
  source: row.source,
  audience: BigInt(row.audience),
  kind: row.kind,
  reputation: row.reputation,
  claimedAt: Number(row.claimed),
  at: Number(row.last),
  firstSeen: Number(row.first),
})

/** The id of the source is in no answer. */
const claimOf = (
  { claim, trust, weight, share, contribution, live }: Contribution<Made>,
  at: number,
  reader: Reader,
  own: string | null,
) => ({
  sourceKind: claim.kind,
  mine: claim.source === own,
  reputation: claim.reputation,
  trust,
  firstSeen: iso(claim.firstSeen),
  claimedAt: claim.reputation === null ? null : iso(claim.claimedAt),
  lastSeen: iso(claim.at),
  ageSeconds: Math.max(0, Math.floor((at - claim.at) / 1000)),
  weight,
  share,
  contribution,
  live,
  visibleBy: reader.visibleBy(claim.audience),
})

const shownStanding = ({ newest, next, ...of }: Standing) => ({
  ...of,
  newest: newest === null ? null : iso(newest),
  next: next === null ? null : { at: iso(next.at), reputation: next.reputation },
})

const iso = (ms: number): string => new Date(ms).toISOString()
