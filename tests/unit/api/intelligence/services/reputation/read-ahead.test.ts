import { expect, test } from 'vitest'
import { readsAhead } from '../../../../../../api/intelligence/services/reputation/read-ahead.ts'

test('so many bodies are read ahead at once; the others have their turn when one ends', () => {
  const read: string[] = []
  const newAhead = readsAhead(2)
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => newAhead({ readAhead: () => void read.push(name) }))
  for (const one of [a, b, c, d, c, a]) one!.begin()
  expect(read).toEqual(['a', 'b'])
  a!.end()
  a!.end()
  expect(read).toEqual(['a', 'b', 'c'])
  d!.end()
  b!.end()
  c!.end()
  expect(read).toEqual(['a', 'b', 'c'])
  for (const name of ['e', 'f', 'g']) newAhead({ readAhead: () => void read.push(name) }).begin()
  expect(read).toEqual(['a', 'b', 'c', 'e', 'f'])
})

test('a body that is never read ahead gives no place back', () => {
  const newAhead = readsAhead(1)
  newAhead({ readAhead: () => undefined }).begin()
  newAhead({ readAhead: () => undefined }).end()
  const read: string[] = []
  newAhead({ readAhead: () => void read.push('late') }).begin()
  expect(read).toEqual([])
})
