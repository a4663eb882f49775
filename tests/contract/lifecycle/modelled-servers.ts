import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { startLifecycle } from '../../../pipelines/jobs/accounts/lifecycle-run.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import { ownDatabase } from '../../builders/accounts/database/own-database.ts'
import { handlersOver } from '../../builders/lifecycle/handlers.ts'
import { history } from '../../builders/lifecycle/histories.ts'
import { servedLog } from '../../builders/lifecycle/log.ts'
import { state } from '../../builders/lifecycle/rows.ts'
import { during } from '../../builders/suite/during.ts'
import { until } from '../log/suite.ts'
import { played, tally } from './histories.ts'

const { DATABASE_URL, KAFKA_BROKERS, CI } = process.env

/** A test of so many random histories, whose events then go through Kafka to consumer groups. */
export function lifecycleOnServers(count: number): void {
  describe.skipIf(DATABASE_URL === undefined || KAFKA_BROKERS === undefined)('on PostgreSQL and Kafka', () => {
    const database = during(() => ownDatabase(DATABASE_URL!, 4))
    const log = during(() => kafkaLog({ brokers: KAFKA_BROKERS!.split(','), sessionMs: 3_000, heartbeatMs: 300 }))

    test('the stores end as the model says, and consumer groups that begin with the oldest event change nothing', async () => {
      const all = tally()
      const served = await servedLog(log)
      await fc.assert(
        fc.asyncProperty(history, async (steps) => all.add(await played(database, steps, { log: served }))),
        { numRuns: count },
      )
      all.report('PostgreSQL and Kafka')

      const before = await state(database.db)
      const { handlers, ports, outcomes, failures } = handlersOver(database.db, { log: served })
      const renamed: Pick<EventLog, 'consume' | 'send'> = {
        send: served.send,
        consume: (options, eachBatch) => {
          const { group, topics } = options
          return log.consume({ ...options, group: served.named(group), topics: topics.map(served.named) }, eachBatch)
        },
      }
      const running = startLifecycle(handlers, { ...ports, log: renamed })
      const records = served.all(ACCOUNT_LIFECYCLE).length
      await until('every group has read every record', () => outcomes.length >= 3 * records, 60_000)
      await running.stop()
      expect(failures).toEqual([])
      expect(await state(database.db)).toEqual(before)
    }, 240_000)
  })

  test.skipIf(CI !== 'true')('DATABASE_URL and KAFKA_BROKERS name servers', () => {
    expect([DATABASE_URL, KAFKA_BROKERS]).not.toContain(undefined)
  })
}
