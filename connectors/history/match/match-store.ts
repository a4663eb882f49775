import { type Deployment, storedTable } from '../migrations/macros.ts'
import { type ColumnBlock, columnBlock } from '../native/column-block.ts'
import type { BlockWriter } from '../native/native-table.ts'
import type { History } from '../port.ts'
import { type LedgerAnswer, ledgerWithin, valuesOf } from '../sql/match/ledger.ts'
import {
  allNotes,
  type DecidedRow,
  decidedOf,
  entitiesAfter,
  entitiesDecided,
  entitiesMatched,
  idsBeginning,
  knownIds,
  lastStateVersion,
  type MatchRow,
  matchesOfEntity,
  type RetroRow,
  retroOf,
  type StateRow,
  statesOf,
  type TallyRow,
  talliesOf,
} from '../sql/match/matches-sql.ts'
import { matchBlocks, rowInTime, rowOfMatch, rowOfState, rowOfTally } from './blocks.ts'
import { writeIds, writeLedger } from './columns.ts'
import type { LedgerValue, MatchStore } from './port.ts'
import { ledgerOfRow, matchOfRow } from './rows.ts'
import { MATCH_TABLES } from './tables.ts'

/** Digests of one query: 22 characters each in its text. */
const DIGESTS_A_QUERY = 20_000
/** Entities of one query: some 90 characters each in its parameters. */
const ENTITIES_A_QUERY = 2_000
const FIRST_BYTES = 256

/** The owner of notes; no other one is empty. */
const NOTES = ''

/**
 * What the job that matches keeps.
 * @param home the database that belongs to no generation
 */
export function matchStore(home: History, deployment: Deployment = { mode: 'single' }): MatchStore {
  const blocks = matchBlocks()
  const spare: ColumnBlock[] = []

  /** Rows are made one by one: there are some for every event. */
  async function send<Given, Row>(
    name: keyof typeof blocks,
    given: readonly Given[],
    rowOf: (one: Given) => Row,
    token: string,
  ): Promise<void> {
    const table = blocks[name] as unknown as BlockWriter<Row>
    for (const one of given) table.add(rowOf(one))
    const block = table.finish()
    await home.insert(name, block, token)
    table.recycle(block)
  }

  /** What there is some of for every event, by columns; a block is memory that a later one takes again. */
  async function sendColumns(name: string, write: (to: ColumnBlock) => void, batch: bigint): Promise<void> {
    const block = spare.pop() ?? columnBlock()
    write(block)
    await home.insert(name, block.finish(), `match:${batch}`)
    spare.push(block)
  }

  /** Asks in parts that fit into a question. */
  async function inParts<Row>(ids: readonly string[], most: number, ask: (some: readonly string[]) => Promise<Row[]>) {
    const found: Row[] = []
    for (let i = 0; i < ids.length; i += most) for (const row of await ask(ids.slice(i, i + most))) found.push(row)
    return found
  }

  const stored = (name: string): string => storedTable(name, deployment)

  return {
    async *ids() {
      for (let byte = 0; byte < FIRST_BYTES; byte++) {
        const [row] = await home.query<{ ids: string }>(idsBeginning(byte))
        if (row !== undefined && row.ids !== '') yield Buffer.from(row.ids, 'base64')
      }
    },

    async idsOf(digests) {
      const rows = await inParts(digests, DIGESTS_A_QUERY, (some) =>
        home.query<{ digest: string; batch: string }>(knownIds(some)),
      )
      return new Map(rows.map(({ digest, batch }) => [digest, BigInt(batch)]))
    },

    putIds: (ids, batch) => sendColumns('telemetry_ids', (to) => writeIds(to, ids, batch), batch),

    async decision(batch) {
      const rows = await home.query<DecidedRow>(decidedOf(batch))
      const made = rows.find(({ owner }) => owner === '')
      if (made === undefined) return null
      const tallies = rows
        .filter(({ owner }) => owner !== '')
        .map(({ owner, entity_id, row, n, ends }) => ({
          owner,
          entityId: entity_id,
          row: BigInt(row),
          n,
          expires: ends * 1000,
        }))
      return { at: Number(made.at), tallies }
    },

    putDecision({ at, tallies }, batch) {
      const expires = tallies.reduce((last, one) => Math.max(last, one.expires), at + 7 * 86_400_000)
      const made = { owner: '', entityId: '', row: 0n, n: 0, expires }
      return send('match_tallies', [made, ...tallies], (one) => rowOfTally(one, batch, at), `match:${batch}`)
    },

    putLedger: (rows, batch) => sendColumns('telemetry_ledger', (to) => writeLedger(to, rows), batch),

    async putMatches(matches, token) {
      const once = token ?? `match:${matches[0]?.version}:${matches[0]?.match.id}:${matches.length}`
      // What is stored as a match is not told again, so its place comes first; a place without one shows nothing.
      await send('matches_by_time', matches, rowInTime, once)
      await send('matches', matches, rowOfMatch, once)
    },

    async ledger(owners, reach, since, after, limit) {
      const rows = await home.query<LedgerAnswer>(ledgerWithin(owners, reach, since, after, limit))
      return rows.map(ledgerOfRow)
    },

    values: (owner, since, after, limit) => home.query<LedgerValue>(valuesOf(owner, since, after, limit)),

    async tallies(owner, entityIds) {
      const rows = await inParts(entityIds, ENTITIES_A_QUERY, (some) => home.query<TallyRow>(talliesOf(owner, some)))
      const found = new Map<string, Map<bigint, number>>()
      for (const { entity_id, row, n } of rows) {
        const those = found.get(entity_id) ?? new Map<bigint, number>()
        found.set(entity_id, those.set(BigInt(row), Number(n)))
      }
      return found
    },

    async toldRetro(owner, entityIds) {
      const rows = await inParts(entityIds, ENTITIES_A_QUERY, (some) => home.query<RetroRow>(retroOf(owner, some)))
      return rows.map(({ uuid, entity_id, field, summary, count, matched }) => ({
        id: uuid,
        entityId: entity_id,
        field,
        summary: summary === 1,
        count: Number(count),
        matchedAt: Number(matched),
      }))
    },

    async matched(owners, entityIds, since) {
      const rows = await inParts(entityIds, ENTITIES_A_QUERY, (some) =>
        home.query<{ owner: string; entity_id: string }>(
          since === null ? entitiesDecided(owners, some) : entitiesMatched(owners, some, since),
        ),
      )
      return rows.map(({ owner, entity_id }) => ({ owner, entityId: entity_id }))
    },

    async matchedEntities(owner, after, limit) {
      const rows = await home.query<{ entity_id: string }>(entitiesAfter(owner, after, limit))
      return rows.map(({ entity_id }) => entity_id)
    },

    async matchesOf(owner, entityId, after, limit) {
      const rows = await home.query<MatchRow>(matchesOfEntity(owner, entityId, after, limit))
      return rows.map(matchOfRow)
    },

    async states(owner, entityIds) {
      const rows = await inParts(entityIds, ENTITIES_A_QUERY, (some) => home.query<StateRow>(statesOf(owner, some)))
      return rows.map(({ entity_id, version, withdrawn, reason }) => ({
        owner,
        entityId: entity_id,
        version: BigInt(version),
        withdrawnAt: Number(withdrawn) || null,
        reason,
      }))
    },

    async putStates(states, now) {
      const [first] = states
      if (first === undefined) return
      await send(
        'match_states',
        states,
        (state) => rowOfState(state, now),
        `match:${first.version}:${first.owner}:${first.entityId}:${states.length}`,
      )
    },

    async lastVersion() {
      const [row] = await home.query<{ last: string }>(lastStateVersion)
      return BigInt(row!.last)
    },

    async notes() {
      const rows = await home.query<{ name: string; reason: string }>(allNotes)
      return new Map(rows.map(({ name, reason }) => [name, reason]))
    },

    putNote: (name, text, version, now) =>
      send(
        'match_states',
        [{ owner: NOTES, entityId: name, version, withdrawnAt: null, reason: text }],
        (state) => rowOfState(state, now),
        `match:${version}:${name}`,
      ),

    async forgetBefore(owner, time) {
      await home.query({
        sql: `DELETE FROM ${stored('telemetry_ledger')}
          WHERE owner = {owner:String} AND hour < toDateTime({time:UInt32}, 'UTC')`,
        params: { owner, time: Math.floor(time / 1000) },
      })
    },

    async forget(owner) {
      for (const name of MATCH_TABLES)
        if (name !== 'telemetry_ids')
          await home.query({ sql: `DELETE FROM ${stored(name)} WHERE owner = {owner:String}`, params: { owner } })
    },
  }
}
