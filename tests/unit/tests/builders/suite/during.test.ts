import { afterAll, describe, expect, test } from 'vitest'
import { during } from '../../../../builders/suite/during.ts'

const done: string[] = []
const opened = (name: string) => async () => {
  done.push(`open ${name}`)
  return { name, shout: () => `${name}!`, close: () => done.push(`close ${name}`) }
}

afterAll(() => expect(done).toEqual(['open first', 'open second', 'close second', 'close first']))

describe('what is open during tests', () => {
  const first = during(opened('first'))
  const second = during(opened('second'), ({ close }) => close())
  let early: unknown
  try {
    early = first.name
  } catch (error) {
    early = error
  }

  test('is not there before them', () => {
    expect(early).toMatchObject({ message: expect.stringContaining('it is not open') })
  })

  test('has the fields of what was opened, and all of them in a copy', () => {
    expect([first.name, first.shout(), second.shout()]).toEqual(['first', 'first!', 'second!'])
    expect({ ...first, shout: null }).toEqual({ name: 'first', shout: null, close: expect.any(Function) })
    expect(['name' in first, 'other' in first]).toEqual([true, false])
    first.name = 'renamed'
    expect(first.name).toBe('renamed')
  })

  test('is opened and not yet closed during them', () => {
    expect(done).toEqual(['open first', 'open second'])
  })
})
