/** Matches of telemetry as the platform tells them, and words for them (decisions 14.3). */

import type { paths } from '../../api/schema.d.ts'
import { REASON_WORDS } from '../live/events.ts'

export type MatchPage = paths['/api/match/v1/matches']['get']['responses'][200]['content']['application/json']
export type Match = MatchPage['items'][number]
export type SummaryMatch = Extract<Match, { summary: true }>
export type EventMatch = Exclude<Match, SummaryMatch>
export type Direction = Match['direction']

export const DIRECTIONS: readonly Direction[] = ['forward', 'retro']

/** `about` says which of the two was there first. */
export const DIRECTION_WORDS: Readonly<Record<Direction, { label: string; sign: string; about: string }>> = {
  forward: { label: 'Forward', sign: '→', about: 'the indicator was known before the event' },
  retro: { label: 'Retro', sign: '↩', about: 'the event came before the indicator was known' },
}

const OF_SETTINGS: Readonly<Record<string, string>> = {
  selector: 'the settings no longer choose it',
  groups: 'the groups of the settings were changed',
}

/** Why a match was withdrawn. A reason of a later platform is shown as it is. */
export const withdrawnWords = (reason: string | undefined): string => {
  if (reason === undefined) return 'without a reason'
  return OF_SETTINGS[reason] ?? (REASON_WORDS as Readonly<Record<string, string>>)[reason] ?? reason
}

export const isSummary = (match: Match): match is SummaryMatch => 'summary' in match

/** Events of a match: several for a row of the ledger, and for a summary. */
export const eventsOf = (match: Match): number => (isSummary(match) ? match.count : (match.event.count ?? 1))

/** Matches that one item of the list stands for. */
export const matchesOf = (match: Match): number => (isSummary(match) ? match.count : 1)

export const fieldOf = (match: Match): string => (isSummary(match) ? match.field : match.event.field)

/** The machine; null where the event names none, and for a summary. */
export const hostOf = (match: Match): string | null => (isSummary(match) ? null : (match.event.host ?? null))

/** The first and the last event, ISO 8601. */
export const timesOf = (match: Match): { first: string; last: string } =>
  isSummary(match)
    ? { first: match.first, last: match.last }
    : { first: match.event.at, last: match.event.lastAt ?? match.event.at }
