import { expect, test } from 'vitest'
import { scopes } from '../../../../../../connectors/history/engine/analyst/scope.ts'
import type { EngineSessions } from '../../../../../../connectors/history/engine/sessions.ts'

test('the scope of a user that is in use stays known when a thousand others come', async () => {
  const asked: string[] = []
  const run = async ({ sql }: { sql: string }) => {
    const groups = /hasAny\(groups, \[(.*?)\]\)/.exec(sql)?.[1]
    if (groups !== undefined) asked.push(groups)
    const tables = sql.includes('FROM system.tables WHERE database NOT IN')
    return { bytes: Buffer.from(tables ? '{"database":"home","name":"audiences","audience":true}\n' : '') }
  }
  const scope = scopes({ run } as unknown as Pick<EngineSessions, 'run'>, 'home', () => 1)
  for (let i = 0; i < 1_000; i++) await scope([`group-${i}`])
  await scope(['group-0'])
  await scope(['group-1000'])
  asked.length = 0
  await scope(['group-0'])
  await scope(['group-1'])
  expect(asked).toEqual(["'group-1'"])
})
