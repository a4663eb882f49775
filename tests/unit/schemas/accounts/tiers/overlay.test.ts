import { expect, test } from 'vitest'
import { layOver } from '../../../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS, tierOf } from '../../../../../schemas/accounts/tiers/tiers.ts'

const over = (tiers: unknown) => layOver(BUILT_IN_TIERS, { tiers })

test('a file changes what it names and nothing else', () => {
  const before = structuredClone(BUILT_IN_TIERS)
  const laid = over({ Free: { limits: { 'search-api': { history_search_per_minute: { value: 3 } } } } })
  expect(laid.Free!.limits['search-api']!.history_search_per_minute).toEqual({
    ...before.Free!.limits['search-api']!.history_search_per_minute,
    value: 3,
  })
  expect(laid.Free!.limits['search-api']!.simple_search_per_minute).toEqual(
    before.Free!.limits['search-api']!.simple_search_per_minute,
  )
  expect(laid.Public).toEqual(before.Public)
  expect(BUILT_IN_TIERS).toEqual(before)
})

test('unknown services and keys are kept, and an unknown tier starts as Free', () => {
  const limit = { value: 5, window: 'month', description: 'Maps.' }
  const laid = over({
    Pro: { limits: { 'map-api': { maps_per_month: limit } }, quotas: { 'casework-api': { max_maps: { value: -1 } } } },
    Gold: { quotas: { 'compute-api': { max_instances: { value: 9 } } } },
  })
  expect(laid.Pro!.limits['map-api']).toEqual({ maps_per_month: limit })
  expect(laid.Pro!.quotas['casework-api']!.max_maps).toEqual({ value: -1, description: '' })
  expect(laid.Gold!.limits).toEqual(BUILT_IN_TIERS.Free!.limits)
  expect(laid.Gold!.quotas['compute-api']!.max_instances!.value).toBe(9)
})

test('how many streams are open at once is a limit like others, which a file can change', () => {
  const laid = over({
    Free: { limits: { 'live-api': { live_streams: { value: 7 } } } },
    Gold: {
      limits: { 'live-api': { live_streams: { window: 'open' } }, 'map-api': { maps: { value: 1, window: 'open' } } },
    },
  })
  expect(laid.Free!.limits['live-api']!.live_streams).toMatchObject({ value: 7, window: 'open' })
  expect(laid.Gold!.limits['live-api']!.live_streams).toEqual(BUILT_IN_TIERS.Free!.limits['live-api']!.live_streams)
  expect(laid.Gold!.limits['map-api']!.maps).toMatchObject({ value: 1, window: 'open' })
})

test('a file cannot make requests of what is counted at once, nor the other way round', () => {
  const limits = {
    'live-api': { live_streams: { value: 5, window: 'minute' } },
    feeds: { feed_list_per_minute: { value: 5, window: 'open' } },
    'map-api': { maps: { value: 5, window: 'always' } },
  }
  for (const fault of [
    'tiers.Pro.limits.live-api.live_streams.window must be one of open',
    'tiers.Pro.limits.feeds.feed_list_per_minute.window must be one of minute, hour, day, week, month',
    'tiers.Pro.limits.map-api.maps.window must be one of minute, hour, day, week, month, open',
  ])
    expect(() => over({ Pro: { limits } })).toThrow(fault)
})

test('every malformed value is named', () => {
  const limits = {
    'search-api': {
      history_search_per_minute: { value: -2 },
      simple_search_per_minute: { value: 1.5, window: 'year' },
      new_key: { value: 1 },
      'white space': { value: 1 },
    },
    feeds: null,
  }
  const quotas = { 'compute-api': { max_instances: { value: '5', window: 'day' } } }
  const attempt = () => over({ Pro: { limits, quotas, limit: {} }, Free: [] })
  for (const fault of [
    'tiers.Pro.limits.search-api.history_search_per_minute.value must be an integer from -1 to 1000000000000',
    'tiers.Pro.limits.search-api.simple_search_per_minute.value must be an integer',
    'tiers.Pro.limits.search-api.simple_search_per_minute.window must be one of minute, hour, day, week, month',
    'tiers.Pro.limits.search-api.new_key.window must be one of',
    'tiers.Pro.limits.search-api.white space is not a usable name',
    'tiers.Pro.limits.feeds must be an object',
    'tiers.Pro.quotas.compute-api.max_instances.value must be an integer',
    'tiers.Pro.quotas.compute-api.max_instances.window is unknown',
    'tiers.Pro.limit is unknown',
    'tiers.Free must be an object',
  ])
    expect(attempt).toThrow(fault)
  expect(() => layOver(BUILT_IN_TIERS, [])).toThrow('file must be an object')
  expect(() => layOver(BUILT_IN_TIERS, {})).toThrow('tiers must be an object')
  expect(() => layOver(BUILT_IN_TIERS, JSON.parse('{"tiers": {"__proto__": {}}}'))).toThrow('not a usable name')
})

test('the built-in tiers are a file that would be accepted', () => {
  expect(layOver(BUILT_IN_TIERS, { tiers: BUILT_IN_TIERS })).toEqual(BUILT_IN_TIERS)
  expect(Object.keys(BUILT_IN_TIERS)).toEqual(['Public', 'Free', 'Pro', 'Enterprise'])
  for (const paid of ['Pro', 'Enterprise'])
    for (const key of ['pentests_per_day', 'targets_per_day'])
      expect(BUILT_IN_TIERS[paid]!.limits['pentest-api']![key]!.value).toBe(-1)
  for (const { limits } of Object.values(BUILT_IN_TIERS)) {
    expect(Object.keys(limits['ai-api']!).filter((key) => key.includes('month'))).toEqual([])
    for (const features of Object.values(limits))
      for (const [key, { window }] of Object.entries(features))
        expect(key).toMatch(window === 'open' ? /^live_streams$/ : new RegExp(`_per_${window}$`))
  }
})

test('as many streams are open at once as the contract says', () => {
  const streams = Object.entries(BUILT_IN_TIERS).map(([name, { limits }]) => [name, limits['live-api']!.live_streams])
  const entry = (value: number) => ({ value, window: 'open', description: expect.any(String) })
  expect(Object.fromEntries(streams)).toEqual({
    Public: entry(1),
    Free: entry(2),
    Pro: entry(10),
    Enterprise: entry(100),
  })
})

test('a tier that the file has no longer is the first one', () => {
  expect(tierOf(BUILT_IN_TIERS, 'Gold').name).toBe('Free')
  expect(tierOf(BUILT_IN_TIERS, 'constructor').name).toBe('Free')
  expect(tierOf(BUILT_IN_TIERS, 'Pro').tier).toBe(BUILT_IN_TIERS.Pro)
})
