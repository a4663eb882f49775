import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { registerFeedVerify } from '../../../../../cli/commands/feed/verify-feed.ts'
import type { ListFault } from '../../../../../connectors/history/feeds-out/port.ts'
import type { FeedHead } from '../../../../../schemas/feeds-out/head.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const missing = (id: string): ListFault => ({ kind: `missing ${id}`, text: `${id} is selected but not in the list` })

/** Runs `feed verify`; each look at a list finds the next of `looks`, and the last of them from then on. */
async function verify(heads: FeedHead[], looks: ListFault[][], ids: string[] = []) {
  const printed: string[] = []
  const write = (text: string): void => void printed.push(text)
  let looked = 0
  let closed = 0
  const feed = new Command().exitOverride().configureOutput({ writeErr: write })
  registerFeedVerify(
    feed,
    async () => ({
      heads: async () => heads,
      head: async (id) => heads.find(({ feed: { id: known } }) => known === id) ?? null,
      faults: async () => looks[Math.min(looked++, looks.length - 1)]!,
      live: async () => ({ database: 'harrier', rules: BUILT_IN }),
      close: async () => void closed++,
    }),
    {
      stdout: { write },
      now: () => NOW,
      pause: async () => undefined,
      signal: new AbortController().signal,
    },
  )
  const status = await feed.parseAsync(['verify', ...ids], { from: 'user' }).then(
    () => 0,
    (error: { exitCode: number; message: string }) => {
      if (!printed.join('').includes(error.message)) write(error.message)
      return error.exitCode
    },
  )
  expect(closed).toBe(1)
  return { printed: printed.join(''), status, looked }
}

describe('harrier feed verify', () => {
  test('a list that is right is looked at once', async () => {
    expect(await verify([headOf('a', { items: 3, sequence: 8 })], [[]])).toEqual({
      printed: 'a f: 3 items, sequence 8: right\n',
      status: 0,
      looked: 1,
    })
  })

  test('what another look does not find any more is no fault', async () => {
    const { printed, status, looked } = await verify([headOf('a')], [[missing('x')], [missing('y')]])
    expect([printed, status, looked]).toEqual(['a f: 0 items, sequence 0: right\n', 0, 2])
  })

  test('what stays is told, and the command ends with 1', async () => {
    const { printed, status, looked } = await verify(
      [headOf('a'), headOf('b')],
      [[missing('x'), missing('y')], [missing('y')]],
    )
    expect(printed).toBe(
      'a f: 0 items, sequence 0: wrong\n  y is selected but not in the list\n' +
        'b f: 0 items, sequence 0: wrong\n  y is selected but not in the list\n2 lists are wrong\n',
    )
    expect([status, looked]).toEqual([1, 12])
  })

  test('a list of tables that are no longer live is wrong, when it stays so', async () => {
    const { printed, status } = await verify([headOf('a', { generation: 'before' })], [[]])
    expect(printed).toContain('it was made from the tables before, but the live tables are harrier\n')
    expect(status).toBe(1)
  })

  test('a list that is being made is not compared, nor are the members of a held one', async () => {
    const held = headOf('b', { held: { by: 'owner', at: NOW, epoch: 9 } })
    const { printed, status } = await verify([headOf('a', { epoch: 0 }), held], [[]])
    expect(printed).toBe(
      'a f: is being made; not compared\nb f: 0 items, sequence 0: right, held: its members are not compared\n',
    )
    expect(status).toBe(0)
  })

  test('only the feeds that are named are looked at, and an unknown one is refused', async () => {
    expect((await verify([headOf('a'), headOf('b')], [[]], ['b'])).printed).toBe('b f: 0 items, sequence 0: right\n')
    const { printed, status } = await verify([headOf('a')], [[]], ['a', 'z'])
    expect([printed, status]).toEqual(['there is no stored list of the feed z', 2])
  })

  test('without feeds it says so', async () => {
    expect((await verify([], [[]])).printed).toBe('no feeds are published\n')
  })
})
