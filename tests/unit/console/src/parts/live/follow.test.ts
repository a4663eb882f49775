import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../../../console/src/api/problem.ts'
import type { ChangeEvent } from '../../../../../../console/src/parts/live/events.ts'
import { type FollowPorts, follow, pauseBefore } from '../../../../../../console/src/parts/live/follow.ts'

const line = (event: string, cursor: string, data: object = {}): string =>
  `${JSON.stringify({ event, cursor, data })}\n`
const change = (cursor: string, id: string): string => line('change', cursor, { id })

type Answer = string | Problem

/** A platform that answers each opening in turn; after the last one the reader leaves. */
async function followed(answers: readonly Answer[], since: string | null = null) {
  const leaving = new AbortController()
  const opened: (string | null)[] = []
  const told: string[] = []
  const pauses: number[] = []
  const ports: FollowPorts = {
    async open(from) {
      const answer = answers[opened.length]
      opened.push(from)
      if (answer === undefined) {
        leaving.abort()
        throw new Problem('left', {})
      }
      if (answer instanceof Problem) throw answer
      return new Blob([answer]).stream()
    },
    async pause(ms) {
      pauses.push(ms)
    },
  }
  await follow(ports, {
    since,
    signal: leaving.signal,
    onChange: ({ id }: ChangeEvent) => told.push(id),
    onCursor: (cursor) => cursor === null && told.push('gap'),
    onState: (state) => told.push(`(${state})`),
  })
  return { opened, told: told.filter((one) => one !== '(connecting)'), pauses }
}

describe('a stream that is followed', () => {
  test('goes on from its last cursor after a cut, one that was told by a heartbeat too', async () => {
    const { opened, told } = await followed([
      line('caught-up', 'c1') + change('c2', 'a') + line('heartbeat', 'c3'),
      change('c4', 'b') + line('caught-up', 'c5'),
    ])
    expect(opened).toEqual([null, 'c3', 'c5'])
    expect(told).toEqual(['(behind)', '(live)', 'a', '(waiting)', '(behind)', 'b', '(live)', '(waiting)'])
  })

  test('that lags goes on from the cursor that it is told', async () => {
    expect((await followed([change('c1', 'a') + line('lagging', 'c1')])).opened).toEqual([null, 'c1'])
  })

  test('whose cursor is too old says that something was missed, and follows from now on', async () => {
    const { opened, told } = await followed([new Problem('too old', { status: 410 }), line('caught-up', 'c9')], 'old')
    expect(opened).toEqual(['old', null, 'c9'])
    expect(told).toEqual(['gap', '(behind)', '(live)', '(waiting)'])
  })

  test('without a place says so and tries again, later each time', async () => {
    const full = new Problem('too many', { status: 429 })
    const { told, pauses } = await followed([full, full, line('caught-up', 'c1')])
    expect(told.slice(0, 2)).toEqual(['(refused)', '(refused)'])
    expect(pauses).toEqual([3_000, 6_000, 1_000])
  })

  test.each([401, 403, 400])('that is refused with %d is not tried again', async (status) => {
    const { opened, told } = await followed([new Problem('no', { status })])
    expect([opened, told]).toEqual([[null], ['(stopped)']])
  })

  test('skips what a later platform may tell, and takes a broken line for a cut', async () => {
    const { told, opened } = await followed([line('news', 'c1') + change('c2', 'a'), '{"event"\n'])
    expect(told).toEqual(['(behind)', 'a', '(waiting)', '(behind)', '(waiting)'])
    expect(opened).toEqual([null, 'c2', 'c2'])
  })
})

test('pauses grow to half a minute, and are never shorter than the platform asks for', () => {
  const away = { status: 0, retryAfter: null }
  expect([1, 2, 3, 6, 100].map((n) => pauseBefore(n, away))).toEqual([1_000, 2_000, 4_000, 30_000, 30_000])
  expect(pauseBefore(1, { status: 503, retryAfter: 45 })).toBe(45_000)
})
