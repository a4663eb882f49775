import { expect, test } from 'vitest'
import type { Allowance } from '../../../../../api/http/limits/allowance.ts'
import { consume } from '../../../../../api/http/middleware/limits.ts'
import type { Limits } from '../../../../../connectors/postgres/accounts/plan/port.ts'
import { layOver } from '../../../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS, type LimitKeys } from '../../../../../schemas/accounts/tiers/tiers.ts'

const AT = Date.UTC(2026, 10, 20)
const CHAT = { service: 'ai-api', features: ['chat_completions_per_day', 'chat_completions_per_week'] } as const

function given(perDay: number, perWeek: number) {
  const limits = {
    'ai-api': { chat_completions_per_day: { value: perDay }, chat_completions_per_week: { value: perWeek } },
  }
  const tier = layOver(BUILT_IN_TIERS, { tiers: { Pro: { limits } } }).Pro!
  const allowance: Allowance = { subject: { type: 'customer', id: 'c' }, tierName: 'Pro', tier, quantity: 1 }
  const used: Record<string, number> = { day: 0, week: 0 }
  const port: Limits = {
    async take({ window }, limit, units) {
      const admitted = used[window]! + units <= limit
      if (admitted) used[window]! += units
      return { admitted, used: used[window]! }
    },
    giveBack({ window }, units) {
      used[window]! -= units
    },
    usage: async () => [],
  }
  return { used, port, allowance, use: (units: number) => consume(port, allowance, CHAT, units, AT) }
}

test('what is open at once takes no unit, whoever asks for one', async () => {
  const { used, port, allowance } = given(10, 10)
  const streams = { service: 'live-api', features: ['live_streams'] } as unknown as LimitKeys
  await expect(consume(port, allowance, streams, 1, AT)).rejects.toThrow('live-api.live_streams')
  expect(used).toEqual({ day: 0, week: 0 })
})

const end = (window: 'day' | 'week') => (window === 'day' ? Date.UTC(2026, 10, 21) : Date.UTC(2026, 10, 23))

test('both windows are consumed, at the rate that is asked, and the tighter one is told', async () => {
  const { used, use } = given(10, 12)
  expect(await use(4)).toMatchObject({ refused: null, position: { limit: 10, remaining: 6, end: end('day') } })
  expect(used).toEqual({ day: 4, week: 4 })
})

test('the daily limit is checked first, and its refusal leaves the week alone', async () => {
  const { used, use } = given(5, 5)
  await use(5)
  expect(await use(1)).toMatchObject({ refused: 'exhausted', position: { limit: 5, remaining: 0, end: end('day') } })
  expect(used).toEqual({ day: 5, week: 5 })
})

test('a refusal by the week gives the day back', async () => {
  const { used, use } = given(10, 5)
  await use(4)
  expect(await use(2)).toMatchObject({ refused: 'exhausted', position: { limit: 5, remaining: 1, end: end('week') } })
  expect(used).toEqual({ day: 4, week: 4 })
})

test('a week that is disabled gives the day back, an unlimited one is not counted', async () => {
  const disabled = given(10, 0)
  expect(await disabled.use(1)).toMatchObject({ refused: 'disabled', position: { limit: 0, remaining: 0 } })
  expect(disabled.used).toEqual({ day: 0, week: 0 })
  const unlimited = given(10, -1)
  expect(await unlimited.use(1)).toMatchObject({ refused: null, position: { limit: 10 } })
  expect(unlimited.used).toEqual({ day: 1, week: 0 })
})
