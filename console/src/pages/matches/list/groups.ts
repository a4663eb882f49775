/** The loaded matches by host, and by indicator (decisions 14.3). */

import { eventsOf, hostOf, type Match, matchesOf, timesOf } from '../../../parts/match/match.ts'

type Sums = {
  matches: number
  events: number
  /** Of the events, ISO 8601. */
  first: string
  last: string
}

/** `host` null: events that name none, and summaries. */
export type HostGroup = Sums & { host: string | null; indicators: number }
export type IndicatorGroup = Sums & { entity: Match['entity']; hosts: number; withdrawn: boolean }

type Group = Sums & { newest: Match; others: Set<string>; withdrawn: boolean }

/** Matches with the same key as one, the one with the most matches first. @param otherOf what is counted once */
function grouped(matches: readonly Match[], keyOf: (match: Match) => string, otherOf: (match: Match) => string | null) {
  const groups = new Map<string, Group>()
  for (const match of matches) {
    const key = keyOf(match)
    const { first, last } = timesOf(match)
    const group = groups.get(key) ?? {
      matches: 0,
      events: 0,
      first,
      last,
      newest: match,
      others: new Set<string>(),
      withdrawn: true,
    }
    group.matches += matchesOf(match)
    group.events += eventsOf(match)
    if (Date.parse(first) < Date.parse(group.first)) group.first = first
    if (Date.parse(last) > Date.parse(group.last)) group.last = last
    const other = otherOf(match)
    if (other !== null) group.others.add(other)
    group.withdrawn &&= match.withdrawnAt !== undefined
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.matches - a.matches || Date.parse(b.last) - Date.parse(a.last))
}

const sumsOf = ({ matches, events, first, last }: Sums): Sums => ({ matches, events, first, last })

/** By host, with the number of different indicators. */
export const byHost = (matches: readonly Match[]): HostGroup[] =>
  grouped(
    matches,
    (match) => JSON.stringify(hostOf(match)),
    ({ entity }) => entity.id,
  ).map((group) => ({ ...sumsOf(group), host: hostOf(group.newest), indicators: group.others.size }))

/** By indicator, with the number of different hosts; `withdrawn`: all of its matches are. As it was told last. */
export const byIndicator = (matches: readonly Match[]): IndicatorGroup[] =>
  grouped(matches, ({ entity }) => entity.id, hostOf).map((group) => ({
    ...sumsOf(group),
    entity: group.newest.entity,
    hosts: group.others.size,
    withdrawn: group.withdrawn,
  }))
