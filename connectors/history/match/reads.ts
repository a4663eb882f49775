import { suffixForm } from '../../../schemas/intelligence/compare/compare-names.ts'
import { readNetwork } from '../../../schemas/intelligence/compare/compare-networks.ts'
import { earlierForm } from '../../../schemas/intelligence/entities/earlier-forms.ts'
import type { FieldName } from '../../../schemas/match/event.ts'
import { placeOf, type Reach, reachOf } from '../../../schemas/match/place.ts'
import { subjectOf } from '../../../schemas/match/subject.ts'
import type { History } from '../port.ts'
import { type LedgerAnswer, seenRows, seenTotal } from '../sql/match/ledger.ts'
import {
  type MatchRow,
  matchesById,
  matchPage,
  type PageRow,
  type StateRow,
  statesOf,
} from '../sql/match/matches-sql.ts'
import type { LedgerRow, MatchReads, SeenQuestion, ShownMatch } from './port.ts'
import { ledgerOfRow, matchOfRow } from './rows.ts'

/** Fields whose values have different normal forms, so that one of them reads what somebody asks for. */
const READ_AS: readonly FieldName[] = ['query', 'url', 'email', 'md5', 'sha1', 'sha256']

type Asked = { reach: Reach; exact: string | null }

/** What of the ledger a question is about: each way in which its value can be read. */
function askedFor({ value, below }: Pick<SeenQuestion, 'value' | 'below'>): Asked[] {
  const network = value.includes('/') ? readNetwork(value) : null
  if (network !== null && !('reason' in network)) return [{ reach: reachOf('cidr', network.text), exact: null }]
  const found: Asked[] = []
  for (const field of READ_AS) {
    const subject = subjectOf(field, value)
    if (subject === null) continue
    const { kind, value: exact } = subject
    if (kind === 'name' && below) continue
    const reach = { anchors: [placeOf(subject).anchor], below: [], ranges: [] }
    found.push({ reach, exact })
    const earlier = earlierForm(field, exact)
    if (earlier !== null) found.push({ reach, exact: earlier })
  }
  const name = below ? suffixForm(value) : null
  if (typeof name === 'string') found.push({ reach: reachOf('domain', name), exact: null })
  return found
}

/** What the API reads of the ledger and of matches; `home` is the database that belongs to no generation. */
export function matchReads(home: Pick<History, 'query'>): MatchReads {
  /** A place whose match is not stored, or stands at another one, was left by who did not get further. */
  async function shownOf(owner: string, page: readonly PageRow[]): Promise<ShownMatch[]> {
    if (page.length === 0) return []
    const entities = [...new Set(page.map(({ entity_id }) => entity_id))]
    const [rows, states] = await Promise.all([
      home.query<MatchRow>(
        matchesById(
          owner,
          entities,
          page.map(({ uuid }) => uuid),
        ),
      ),
      home.query<StateRow>(statesOf(owner, entities)),
    ])
    const byId = new Map(rows.map((row) => [row.uuid, row]))
    const stateOf = new Map(states.map((state) => [state.entity_id, state]))
    return page.flatMap(({ uuid, told }) => {
      const row = byId.get(uuid)
      if (row === undefined || row.matched !== told) return []
      const { groups: _, ...match } = matchOfRow(row)
      const state = stateOf.get(row.entity_id)
      const withdrawnAt = state === undefined ? null : Number(state.withdrawn) || null
      return [{ ...match, withdrawnAt, withdrawnReason: withdrawnAt === null ? null : state!.reason }]
    })
  }

  return {
    async matches(question) {
      const found: ShownMatch[] = []
      for (let { after } = question; ; ) {
        const limit = question.limit - found.length
        const page = await home.query<PageRow>(matchPage({ ...question, after, limit }))
        found.push(...(await shownOf(question.owner, page)))
        const last = page.at(-1)
        if (last === undefined || page.length < limit || found.length === question.limit) return found
        after = { matchedAt: Number(last.told), id: last.uuid }
      }
    },

    async seen({ owner, since, limit, ...asked }) {
      const rows: LedgerRow[] = []
      const totals = []
      for (const { reach, exact } of askedFor(asked)) {
        const [found, [total]] = await Promise.all([
          home.query<LedgerAnswer>(seenRows(owner, reach, exact, since, limit)),
          home.query<{ rows: string; n: string; since: string; until: string }>(seenTotal(owner, reach, exact, since)),
        ])
        rows.push(...found.map(ledgerOfRow))
        if (total !== undefined && total.rows !== '0') totals.push(total)
      }
      if (totals.length === 0) return { total: null, rows: [] }
      return {
        total: {
          rows: totals.reduce((sum, one) => sum + Number(one.rows), 0),
          count: totals.reduce((sum, one) => sum + Number(one.n), 0),
          first: Math.min(...totals.map((one) => Number(one.since))),
          last: Math.max(...totals.map((one) => Number(one.until))),
        },
        rows: rows.toSorted((a, b) => b.hour - a.hour || b.count - a.count).slice(0, limit),
      }
    },
  }
}
