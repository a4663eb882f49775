import { expect, test } from 'vitest'
import { sharedLoads } from '../../../platform/shared-loads.ts'

/** Loads that a test ends. */
function held() {
  const begun: { key: string; end: PromiseWithResolvers<string> }[] = []
  const ask = sharedLoads<string>((key) => {
    const end = Promise.withResolvers<string>()
    begun.push({ key, end })
    return end.promise
  })
  return { begun, ask, count: (count: number) => expect.poll(() => begun.length).toBe(count) }
}

test('callers of one turn share a load, and those who ask while it is under way the next one', async () => {
  const { begun, ask, count } = held()
  const first = [ask('a'), ask('a')]
  await count(1)
  const second = [ask('a'), ask('a'), ask('a')]
  begun[0]!.end.resolve('old')
  expect(await Promise.all(first)).toEqual(['old', 'old'])
  await count(2)
  const later = ask('a')
  begun[1]!.end.resolve('new')
  expect(await Promise.all(second)).toEqual(['new', 'new', 'new'])
  await count(3)
  begun[2]!.end.resolve('newest')
  expect(await later).toBe('newest')
})

test('loads that answer at once are shared by the callers of a turn too', async () => {
  let loads = 0
  const ask = sharedLoads(async () => ++loads)
  const callers = Array.from({ length: 30 }, async () => {
    await Promise.resolve()
    return ask('a')
  })
  expect(new Set(await Promise.all(callers))).toEqual(new Set([1]))
  expect(await ask('a')).toBe(2)
})

test('keys wait for themselves alone', async () => {
  const { begun, ask, count } = held()
  const slow = ask('a')
  await count(1)
  const quick = ask('b')
  await count(2)
  begun[1]!.end.resolve('b')
  expect(await quick).toBe('b')
  begun[0]!.end.resolve('a')
  expect(await slow).toBe('a')
})

test('a load that fails fails for its callers, and not for those who wait', async () => {
  const { begun, ask, count } = held()
  const first = ask('a')
  await count(1)
  const second = ask('a')
  begun[0]!.end.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await count(2)
  begun[1]!.end.resolve('back')
  expect(await second).toBe('back')
})
