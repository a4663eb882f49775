import { Readable } from 'node:stream'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { registerDeadLetters } from '../../../../cli/commands/dead-letters/register.ts'
import { deadLetterBox } from '../../../../connectors/operations/dead-letters/box.ts'
import type { Registry } from '../../../../connectors/registry/port.ts'
import { deadLetterOf } from '../../../../pipelines/runtime/dead-letter.ts'
import { deadTopic } from '../../../../schemas/log/topics.ts'
import { memoryLog } from '../../../builders/log/memory-log.ts'

const TOPIC = 'entity.submissions'
const VALUE = Buffer.from([0, 0, 0, 0, 7, 1, 2])
const NOW = Date.UTC(2026, 0, 2)
const registry: Registry = {
  register: async () => 1,
  schema: async () => undefined,
  known: () => undefined,
  ping: async () => undefined,
}

/** A log with so many letters, and the command on it. */
async function world(count: number) {
  const log = memoryLog(1)
  const at = (offset: number) => ({ offset, timestamp: NOW, key: Buffer.from('k'), value: VALUE, headers: {} })
  const messages = Array.from({ length: count }, (_, i) => ({
    ...deadLetterOf({ topic: TOPIC, partition: 3 }, { message: at(i), reason: `reason ${i}\u001b[31m` }),
    timestamp: NOW - (count - i) * 60_000,
  }))
  await log.send([{ topic: deadTopic(TOPIC), messages }])
  const counted = { closed: 0 }
  const run = async (args: string[], answer?: string): Promise<string> => {
    let printed = ''
    const stdin = Object.assign(Readable.from(answer === undefined ? [] : [answer]), { isTTY: answer !== undefined })
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
    registerDeadLetters(program, {
      open: async () => ({
        box: deadLetterBox({ log, registry, now: () => NOW }),
        close: async () => void counted.closed++,
      }),
      stdout: {
        write(text: string) {
          printed += text
        },
      },
      // Questions are asked where they are no part of the answer.
      stderr: {
        write(text: string) {
          printed += text
        },
      },
      stdin,
      by: 'cli:me',
      now: () => NOW,
    })
    const quiet = (command: Command): void => {
      command.exitOverride().configureOutput({ writeErr: () => undefined })
      command.commands.forEach(quiet)
    }
    quiet(program)
    await program.parseAsync(['dead-letters', ...args], { from: 'user' })
    return printed
  }
  return { log, run, counted }
}

const id = (offset: number): string => `${TOPIC}.dead:0:${offset}`
const offsets = (lines: string): number[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).origin.offset)

describe('dead-letters', () => {
  test('are listed newest first over pages, as lines of JSON or as a table that does nothing to a terminal', async () => {
    const { run, counted } = await world(1500)
    const many = offsets(await run(['list', TOPIC, '--json', '--limit', '1200']))
    expect(many).toEqual(Array.from({ length: 1200 }, (_, i) => 1499 - i))
    const shown = await run(['list'])
    expect(shown.split('\n')).toHaveLength(22)
    expect(shown).toMatch(/^ID +STATE +BURIED .*\n.* 60 seconds ago /)
    expect(shown).not.toContain('\u001b')
    expect(offsets(await run(['list', '--json', '--since', '3m']))).toEqual([1499, 1498, 1497])
    expect(offsets(await run(['list', '--json', '--reason', 'REASON 77']))).toContain(77)
    expect(counted.closed).toBe(4)
  })

  test('one is shown with its reason, its place and how it begins', async () => {
    const { run } = await world(2)
    const shown = await run(['show', id(1)])
    expect(shown).toContain('reason    reason 1')
    expect(shown).toContain('origin    entity.submissions, partition 3, offset 1')
    expect(shown).toContain('fault     schema 7 is not an Avro schema of the registry')
    expect(shown).toContain('hex       00000000070102')
    await expect(run(['show', id(9)])).rejects.toThrow('no such dead letter')
  })

  test('several are put back after a yes, or with --yes, and none without either', async () => {
    const { log, run } = await world(5)
    const words = ['--topic', TOPIC, '--range', '0:1-3']
    expect(await run(['replay', ...words, '--dry-run'])).toBe('3 would be replayed\n')
    await expect(run(['replay', ...words])).rejects.toThrow('add --yes')
    expect(await run(['replay', ...words], 'n\n')).toBe('replay 3 dead letters? [y/N] ')
    expect(log.all(TOPIC)).toHaveLength(0)
    expect(await run(['replay', ...words], 'y\n')).toContain('3 of 3 replayed\n')
    expect(log.all(TOPIC)).toHaveLength(3)
    expect(await run(['replay', id(0)])).toBe('1 of 1 replayed\n')
    expect(await run(['replay', id(0), id(8)])).toBe(
      `0 of 0 replayed\nskipped: ${id(0)}: already replayed by cli:me\nskipped: ${id(8)}: no such dead letter\n`,
    )
    expect(offsets(await run(['list', '--json']))).toEqual([4])
  })

  test('one is dropped with a note, and seen with --all alone', async () => {
    const { run } = await world(1)
    expect(JSON.parse(await run(['drop', id(0), '--note', 'a test', '--json']))).toEqual({
      matched: 1,
      done: 1,
      skipped: [],
    })
    expect(await run(['list'])).toBe('no dead letters\n')
    expect(await run(['list', '--all'])).toContain('dropped')
    expect(await run(['show', id(0)])).toContain('note      a test')
  })

  const refused = [
    {
      name: 'a topic without dead letters',
      args: ['list', 'feed.registrations'],
      says: 'the topic "feed.registrations" has no dead letters',
    },
    { name: 'a limit of 0', args: ['list', TOPIC, '--limit', '0'], says: 'from 1 to 100000' },
    { name: 'a time that is none', args: ['list', '--since', 'yesterday'], says: 'a duration before now' },
    { name: 'nothing to choose by', args: ['replay'], says: 'select dead letters by ids' },
    { name: 'a topic alone', args: ['replay', '--topic', TOPIC], says: 'select dead letters by ids' },
    {
      name: 'ids and words',
      args: ['drop', id(0), '--topic', TOPIC, '--note', 'x'],
      says: 'select dead letters by ids',
    },
    { name: 'a range the wrong way round', args: ['replay', '--topic', TOPIC, '--range', '0:9-3'], says: 'from-to' },
    { name: 'no note', args: ['drop', id(0)], says: "required option '--note <text>'" },
  ]
  for (const { name, args, says } of refused)
    test(`${name} is refused in words`, async () => {
      const { run } = await world(1)
      await expect(run(args)).rejects.toThrow(says)
    })
})
