import { expect, test } from 'vitest'
import { logMatchSettings } from '../../../../../connectors/operations/match-settings/settings.ts'
import { MATCH_SETTINGS } from '../../../../../schemas/log/topics.ts'
import { DEFAULT_SELECTOR, type OwnerSettings } from '../../../../../schemas/match/settings.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'

const OWNER = 'customer:00000000-0000-4000-8000-00000000000a'
const settings = (given: Partial<OwnerSettings> = {}): OwnerSettings => ({
  owner: OWNER,
  revision: 1,
  changedAt: 1_800_000_000_000,
  selector: DEFAULT_SELECTOR,
  groups: ['public'],
  retentionDays: 30,
  sightings: null,
  ...given,
})

const raw = (log: ReturnType<typeof memoryLog>, key: string, value: unknown) =>
  log.send([
    {
      topic: MATCH_SETTINGS,
      messages: [{ key, value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) }],
    },
  ])

test('what one process puts another one takes in', async () => {
  const log = memoryLog(1)
  const [one, other] = [logMatchSettings(log), logMatchSettings(log)]
  await one.put(settings())
  expect(one.get(OWNER)).toEqual(settings())
  expect(other.get(OWNER)).toBeUndefined()
  await other.refresh()
  expect(other.all()).toEqual([settings()])
  await other.put(settings({ revision: 2, groups: ['public', 'soc'], sightings: { groups: ['soc'] } }))
  await one.refresh()
  expect(one.get(OWNER)).toMatchObject({ revision: 2, groups: ['public', 'soc'], sightings: { groups: ['soc'] } })
})

test('the settings of an owner that is gone are gone, and may come again with the first revision', async () => {
  const log = memoryLog(1)
  const table = logMatchSettings(log)
  await table.put(settings({ revision: 7 }))
  await table.remove(OWNER)
  await table.refresh()
  expect(table.all()).toEqual([])
  await table.put(settings())
  expect(table.get(OWNER)).toEqual(settings())
})

test('defaults of one process do not undo what somebody chose in another one, also after compaction', async () => {
  const log = memoryLog(1)
  const [one, other] = [logMatchSettings(log), logMatchSettings(log)]
  await one.put(settings({ revision: 2, retentionDays: 90 }))
  await other.put(settings({ revision: 1 }))
  expect(other.get(OWNER)).toMatchObject({ revision: 2, retentionDays: 90 })
  // Compaction keeps the last one.
  expect(JSON.parse(log.all(MATCH_SETTINGS).at(-1)!.value!.toString())).toMatchObject({
    revision: 2,
    retentionDays: 90,
  })
})

const unreadable: [string, unknown][] = [
  ['text that is no JSON', '{"owner":'],
  ['no object', []],
  ['an unknown member', { ...settings({ revision: 9 }), more: 1 }],
  ['another owner than its key', settings({ revision: 9, owner: OWNER.replace('customer', 'user') })],
  ['no groups', settings({ revision: 9, groups: [] })],
  ['groups that are no text', settings({ revision: 9, groups: [7] as unknown as string[] })],
  ['a retention of 91 days', settings({ revision: 9, retentionDays: 91 })],
  ['a broken selector', settings({ revision: 9, selector: { reputation: {} } as never })],
  ['sightings without groups', settings({ revision: 9, sightings: { groups: [] } })],
  ['no revision', { ...settings(), revision: undefined }],
]
for (const [name, value] of unreadable)
  test(`${name} is passed over`, async () => {
    const log = memoryLog(1)
    const table = logMatchSettings(log)
    await table.put(settings())
    await raw(log, OWNER, value)
    await table.refresh()
    expect(table.all()).toEqual([settings()])
  })
