import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { longer } from '../../builders/platform/longer.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { crashContract, run } from './promises/crashes.ts'
import { groupsContract } from './promises/groups.ts'
import { recordsContract } from './promises/records.ts'
import { tailsContract } from './promises/tails.ts'
import { OPTIONS, topicOn, unique, until } from './suite.ts'

const folder = ownFolder('log')

recordsContract('embedded', () => embeddedLog({ folder }))
groupsContract('embedded', () => embeddedLog({ folder }))
crashContract('embedded', `embedded:${folder}`)

tailsContract('embedded', {
  open: () => embeddedLog({ folder }),
  async ageing() {
    // Of its own: a process that opens a folder twice may not write to it meanwhile, and this one sweeps all the time.
    const old = mkdtempSync(join(tmpdir(), 'harrier-log-'))
    let now = Date.now()
    const log = await embeddedLog({ folder: old, now: () => now, sweepMs: 20 })
    return {
      log,
      async dropAll(topic) {
        now += 2 * 3_600_000
        await until('it is gone', async () => (await log.offsets(topic)).every(({ low, high }) => low === high))
      },
      async close() {
        await log.close()
        rmSync(old, { recursive: true })
      },
    }
  },
  runs: longer(10),
})

test('a commit of another process ends the waits of a consumer and of a tail, without a poll', async () => {
  const log = await embeddedLog({ folder, pollMs: 600_000 })
  const topic = await topicOn(log)
  let received = 0
  await log.consume({ ...OPTIONS, group: unique('group'), topics: [topic] }, async ({ messages }) => {
    received += messages.length
  })
  let handedOver = 0
  await log.tail({ topic, from: [], maxRecords: 100, maxBytes: 1024 * 1024 }, ({ messages }) => {
    handedOver += messages.length
  })
  const producer = run('produce', `embedded:${folder}`, topic, 'other')
  await until('records of the other process arrive', () => received > 200)
  await producer.kill()
  const sent = (await log.offsets(topic)).reduce((sum, { high }) => sum + high, 0)
  await until('the last one arrives', () => received === sent && handedOver === sent)
  expect(sent).toBeGreaterThan(200)
  await log.close()
})
