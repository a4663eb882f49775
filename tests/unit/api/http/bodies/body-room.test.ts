import { expect, test } from 'vitest'
import { bodyRoom } from '../../../../../api/http/bodies/body-room.ts'

const user = (name: string) => ({ name, anonymous: false })
const block = (name: string) => ({ name, anonymous: true })
const BOUNDS = { all: 100, user: 40, anonymous: 30, block: 20 }

test('who holds its share waits, whoever else comes does not', () => {
  const room = bodyRoom(BOUNDS)
  const [first, second] = [room.of(user('a')), room.of(user('a'))]
  expect(first.keep(30)).toBeNull()
  expect(second.keep(11)).toMatchObject({ status: 429, retryAfter: 2 })
  expect(second.keep(10)).toBeNull()
  expect(room.of(user('b')).keep(40)).toBeNull()
  first.release()
  first.release()
  expect(second.keep(30)).toBeNull()
  expect([first.held, first.taken, second.held]).toEqual([0, 30, 40])
})

test('anonymous callers together leave the rest to users', () => {
  const room = bodyRoom(BOUNDS)
  expect(room.of(block('192.0.2.1')).keep(20)).toBeNull()
  expect(room.of(block('192.0.2.1')).keep(1)).toMatchObject({ status: 429 })
  expect(room.of(block('192.0.2.2')).keep(11)).toMatchObject({ status: 503 })
  expect(room.of(block('192.0.2.2')).keep(10)).toBeNull()
  expect(room.of(user('a')).keep(40)).toBeNull()
})

test('beyond what a process may hold nobody is read', () => {
  const room = bodyRoom(BOUNDS)
  for (const name of ['a', 'b']) expect(room.of(user(name)).keep(40)).toBeNull()
  const third = room.of(user('c'))
  expect(third.keep(21)).toMatchObject({ status: 503 })
  expect(third.keep(20)).toBeNull()
})
