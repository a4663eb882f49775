import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { registerDeadLetters } from '../../../cli/dead-letters.ts'
import { buried } from '../../../pipelines/runtime/dead-letter.ts'
import { memoryLog } from '../../builders/memory-log.ts'

const TOPIC = 'entity.submissions'
const VALUE = Buffer.from([0, 0, 0, 0, 7, 1, 2])

/** Runs the command on a log with `count` dead letters. */
async function run(count: number, ...args: string[]) {
  const log = memoryLog(1)
  const at = (offset: number) => ({ offset, timestamp: 0, key: Buffer.from('k'), value: VALUE, headers: {} })
  const messages = Array.from({ length: count }, (_, i) =>
    buried({ topic: TOPIC, partition: 3 }, { message: at(i), reason: `reason ${i}` }),
  )
  await log.send([{ topic: `${TOPIC}.dead`, messages }])
  let printed = ''
  let closed = 0
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerDeadLetters(
    program,
    async () => ({ log, close: async () => void closed++ }),
    (line) => (printed += line),
  )
  program.commands[0]!.exitOverride().configureOutput({ writeErr: () => undefined })
  await program.parseAsync(['dead-letters', ...args], { from: 'user' })
  const lines = printed.split('\n').slice(0, -1)
  return { closed, letters: lines.map((line) => JSON.parse(line)) }
}

describe('dead-letters', () => {
  test('a dead letter tells where it stood and why it is there', async () => {
    expect(await run(1, TOPIC)).toEqual({
      closed: 1,
      letters: [
        {
          topic: TOPIC,
          partition: 3,
          offset: 0,
          reason: 'reason 0',
          schemaId: 7,
          key: 'k',
          bytes: 7,
          buriedAt: '1970-01-01T00:00:00.000Z',
        },
      ],
    })
  })

  test('the newest are shown, in order, across slices', async () => {
    const { letters } = await run(400, TOPIC, '--limit', '250')
    expect(letters.map((letter) => letter.offset)).toEqual(Array.from({ length: 250 }, (_, i) => 150 + i))
  })

  test('the bytes are shown when they are asked for', async () => {
    const { letters } = await run(1, TOPIC, '--values')
    expect(Buffer.from(letters[0].value, 'base64')).toEqual(VALUE)
  })

  test('no dead letters are no lines', async () => {
    expect(await run(0, TOPIC)).toEqual({ closed: 1, letters: [] })
  })

  const refused = [
    { name: 'a topic without dead letters', args: ['feed.registrations'], says: 'not of "feed.registrations"' },
    { name: 'a limit of 0', args: [TOPIC, '--limit', '0'], says: 'from 1 to 10000' },
    { name: 'a limit beyond the bound', args: [TOPIC, '--limit', '10001'], says: 'from 1 to 10000' },
    { name: 'a limit that is no number', args: [TOPIC, '--limit', 'all'], says: 'from 1 to 10000' },
  ]
  for (const { name, args, says } of refused)
    test(`${name} is refused in words`, async () => await expect(run(0, ...args)).rejects.toThrow(says))
})
