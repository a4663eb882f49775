import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { crashContract, run } from './promises/crashes.ts'
import { groupsContract } from './promises/groups.ts'
import { recordsContract } from './promises/records.ts'
import { OPTIONS, topicOn, unique, until } from './suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

recordsContract('embedded', () => embeddedLog({ folder }))
groupsContract('embedded', () => embeddedLog({ folder }))
crashContract('embedded', `embedded:${folder}`)

test('a commit of another process ends the wait of a consumer, without a poll', async () => {
  const log = await embeddedLog({ folder, pollMs: 600_000 })
  const topic = await topicOn(log)
  let received = 0
  await log.consume({ ...OPTIONS, group: unique('group'), topics: [topic] }, async ({ messages }) => {
    received += messages.length
  })
  const producer = run('produce', `embedded:${folder}`, topic, 'other')
  await until('records of the other process arrive', () => received > 200)
  await producer.kill()
  const sent = (await log.offsets(topic)).reduce((sum, { high }) => sum + high, 0)
  await until('the last one arrives', () => received === sent)
  expect(sent).toBeGreaterThan(200)
  await log.close()
})
