import { ClickHouseError } from '@clickhouse/client'
import { ComparisonRunning, type CountDrift, type History, type Recount } from '../port.ts'
import { correctionOf, driftOf } from '../sql/queries/recount-queries.ts'

const AT = { entities: 'recount_entities', counts: 'recount_counts' } as const
const COPIES = Object.entries(AT)
/** Longer than any comparison may take. */
const ABANDONED_SECONDS = 2 * 60 * 60
const TABLE_ALREADY_EXISTS = '57'

/** Whether the tables of a snapshot are so old that the process that created them must have ended. */
const LEFT_BEHIND = `SELECT count() AS old FROM system.tables WHERE database = currentDatabase()
  AND name IN {names:Array(String)} AND metadata_modification_time < now() - {seconds:UInt32}`

/**
 * `counts` against `entities`, on one node. A snapshot takes milliseconds and no room: its tables share the files of
 * the originals. Only one exists at a time, across processes, so that no drift is corrected twice.
 * @param open gives the generation that is compared, as it is then
 * @param abandonedSeconds age from which an open snapshot is that of a process that died, and is dropped
 */
export function recount(open: () => Promise<History>, abandonedSeconds = ABANDONED_SECONDS): Recount {
  const drop = async (history: History): Promise<void> => {
    for (const [, copy] of COPIES) await history.command(`DROP TABLE IF EXISTS ${copy} SYNC`)
  }

  const create = async (history: History, copy: string, table: string): Promise<void> => {
    await history.command(`CREATE TABLE ${copy} AS ${table}`).catch((error: unknown) => {
      if (error instanceof ClickHouseError && error.code === TABLE_ALREADY_EXISTS)
        throw new ComparisonRunning({ cause: error })
      throw error
    })
    // It lives for seconds: merging it would be wasted.
    await history.command(`SYSTEM STOP MERGES ${copy}`)
  }

  return {
    async open() {
      const history = await open()
      const params = { names: Object.values(AT), seconds: abandonedSeconds }
      const [found] = await history.query<{ old: string }>({ sql: LEFT_BEHIND, params })
      if (Number(found?.old) > 0) await drop(history)
      let made = 0
      try {
        for (const [table, copy] of COPIES) {
          await create(history, copy, table)
          made++
        }
      } catch (error) {
        // Who made the first has the turn: half of a snapshot would keep everybody out for hours.
        if (made > 0) await drop(history).catch(() => undefined)
        throw error
      }
      return {
        async copy() {
          // An earlier copy may have turned out to be of a moment that was not still.
          for (const [, copy] of COPIES) await history.command(`TRUNCATE TABLE ${copy}`)
          for (const [table, copy] of COPIES)
            await history.command(`ALTER TABLE ${copy} ATTACH PARTITION tuple() FROM ${table}`)
        },
        async drift(signal): Promise<CountDrift> {
          const [row] = await history.query<{ counters: string; difference: string }>(driftOf(AT), signal)
          return { counters: Number(row!.counters), difference: Number(row!.difference) }
        },
        correct: () => history.command(correctionOf(AT)),
        close: () => drop(history),
      }
    },
  }
}
