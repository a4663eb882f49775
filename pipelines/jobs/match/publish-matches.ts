import type { StoredMatch } from '../../../connectors/history/match/port.ts'
import { MATCHES } from '../../../schemas/log/topics.ts'
import type { Match, MatchRecord, MatchStep } from '../../../schemas/match/match.ts'
import type { MatchContext } from './match-context.ts'

/** Records of one send: some hundred bytes each. */
const SENT_AT_ONCE = 5_000
/** Matches of one block. */
const STORED_AT_ONCE = 50_000

/** A match of an owner, told by the settings of now. */
export type OwnedMatch = { owner: string; match: Match }

/** What became of a match that was told before. */
export type MatchNews = {
  owner: string
  groups: readonly string[]
  match: Match
  step: MatchStep
  at: number
  /** Why its indicator left; null: it did not. */
  reason: string | null
}

/** @param token of the block, where the same matches would be told again; null: they may be stored twice */
export async function publishMatches(
  context: MatchContext,
  told: readonly OwnedMatch[],
  token: string | null,
): Promise<void> {
  if (told.length === 0) return
  const version = context.newVersion()
  const stored = told.flatMap(({ owner, match }): StoredMatch[] => {
    const known = context.owners.get(owner)
    return known === undefined ? [] : [{ owner, groups: known.settings.groups, version, match }]
  })
  const now = context.options.now()
  // The log first: what is stored is not told again, so it would never be.
  await publishNews(
    context,
    stored.map(({ owner, groups, match }) => ({ owner, groups, match, step: 'told', at: now, reason: null })),
  )
  for (let at = 0; at < stored.length; at += STORED_AT_ONCE)
    await context.ports.store.putMatches(
      stored.slice(at, at + STORED_AT_ONCE),
      token === null ? null : `${token}:${at}`,
    )
}

/** Appends what became of matches to the log: for alerts, and for whoever follows. */
export async function publishNews({ ports }: MatchContext, news: readonly MatchNews[]): Promise<void> {
  for (let at = 0; at < news.length; at += SENT_AT_ONCE) {
    const messages = news
      .slice(at, at + SENT_AT_ONCE)
      .map((one) => ({ key: one.match.entity.id, value: ports.encodeMatch(recordOf(one)) }))
    await ports.log.send([{ topic: MATCHES, messages }])
  }
}

const recordOf = ({ owner, groups, match, step, at, reason }: MatchNews): MatchRecord => ({
  step,
  stepAt: at,
  owner,
  groups,
  ...match,
  withdrawnAt: step === 'withdrawn' ? at : null,
  withdrawnReason: step === 'withdrawn' ? reason : null,
})
