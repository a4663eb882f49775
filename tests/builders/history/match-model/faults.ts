/** What was told against what should have been. */

import type { MatchRecord } from '../../../../schemas/match/match.ts'
import type { Account, Sent } from './account.ts'
import { ENTITIES, meets } from './pool.ts'
import type { Kept } from './store.ts'

type Row = { owner: string; field: string; value: string; hour: number; events: Sent[] }

function rowsOf(events: Iterable<Sent>): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const sent of events)
    for (const value of new Set(sent.values)) {
      const { owner, field, hour } = sent
      const key = `${owner} ${field} ${value} ${hour}`
      const row = rows.get(key) ?? { owner, field, value, hour, events: [] }
      row.events.push(sent)
      rows.set(key, row)
    }
  return rows
}

export function faultsIn(
  account: Account,
  settings: ReadonlyMap<string, number>,
  kept: Kept,
  log: readonly MatchRecord[],
) {
  const faults: string[] = []
  const matches = [...kept.matches.values()]
  const forward = new Map<string, number>()
  const retro = new Map<string, number>()
  const rows = rowsOf(account.events.values())

  for (const { owner, match } of matches) {
    const { event, entity } = match
    if (match.summary) faults.push(`a summary: ${match.id}`)
    if (!kept.places.has(`${owner} ${match.id} ${match.matchedAt}`)) faults.push(`${match.id} has no place`)
    if (!log.some(({ id, step }) => id === match.id && step === 'told')) faults.push(`${match.id} is not in the log`)
    const key =
      match.direction === 'forward'
        ? `${owner} ${event.id} ${event.field} ${entity.id}`
        : `${owner} ${event.field} ${event.value} ${Math.floor(event.at / 3_600_000) * 3_600_000} ${entity.id}`
    const told = match.direction === 'forward' ? forward : retro
    if (told.has(key)) faults.push(`told twice: ${key}`)
    told.set(key, event.count)
  }

  const stored = [...kept.ledger.values()].map(
    (row) => `${row.owner} ${row.field} ${row.value} ${row.hour} = ${row.count}`,
  )
  const should = [...rows].map(([key, { events }]) => `${key} = ${events.length}`)
  for (const row of should) if (!stored.includes(row)) faults.push(`the ledger should have ${row}`)
  for (const row of stored) if (!should.includes(row)) faults.push(`the ledger should not have ${row}`)

  for (const [key, { owner, field, value, events }] of rows)
    for (const entity of ENTITIES) {
      const { id } = entity
      const isForward = (sent: Sent): boolean => forward.has(`${owner} ${sent.id} ${field} ${id}`)
      const told = events.filter(isForward).length + (retro.get(`${key} ${id}`) ?? 0)
      const met = meets(value, entity) ? events : []
      const least = met.filter((sent) => account.required.has(`${owner} ${sent.id} ${id}`)).length
      const most = met.filter((sent) => account.heldIn(owner, id, sent.appended, Number.POSITIVE_INFINITY)).length
      const others = events.length > met.length ? events.filter((one) => isForward(one) && one.values.length === 1) : []
      if (met.length === 0 ? others.length > 0 || retro.has(`${key} ${id}`) : told < least || told > most)
        faults.push(`${key} and ${entity.value}: told ${told} of ${least} to ${most}`)
      for (const sent of met) {
        if (sent.repeated) continue
        const within = account.heldIn(owner, id, sent.appended, sent.done)
        const may = within || sent.values.some((one) => one !== value && meets(one, entity))
        if (isForward(sent) && !may) faults.push(`${key} and ${entity.value}: forward, and not there when it came`)
      }
    }

  for (const [pair, revision] of settings) if (revision === 0) faults.push(`${pair} has no settings`)
  for (const { owner, match } of matches) {
    const { state } = account.indexOf(owner, match.entity.id)
    const withdrawn = (kept.states.get(`${owner} ${match.entity.id}`)?.withdrawnAt ?? null) !== null
    if (state !== 'open' && withdrawn !== (state === 'withdrawn'))
      faults.push(`matches of ${owner} and ${match.entity.value} ${withdrawn ? 'are' : 'are not'} withdrawn`)
    const last = log.findLast(({ id }) => id === match.id)?.step
    if (last !== undefined && (last === 'withdrawn') !== withdrawn)
      faults.push(`the log says last of ${match.id}: ${last}`)
  }
  return faults
}
