import { afterAll, beforeAll } from 'vitest'

type Closed = { close(): unknown }

/**
 * What is open during the tests of this file or `describe`: opened before them, closed after them, and closed after what
 * was opened later. Its fields are there in tests and in hooks that are registered later, not before.
 * @param close default: its `close`
 */
export function during<T extends Closed>(open: () => Promise<T> | T): T
export function during<T extends object>(open: () => Promise<T> | T, close: (opened: T) => unknown): T
export function during<T extends object>(open: () => Promise<T> | T, close?: (opened: T) => unknown): T {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    if (opened !== undefined) await (close ?? ((one) => (one as T & Closed).close()))(opened)
  })
  return later(() => opened)
}

/**
 * An object that is not there yet: each look at it is one at what `now` gives then. For plain objects, which have no
 * private fields.
 * @throws Error at a look before it is there
 */
export function later<T extends object>(now: () => T | undefined): T {
  const there = (): T => {
    const one = now()
    if (one === undefined) throw new Error('it is not open: use it in tests and in later hooks')
    return one
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(there(), key),
    set: (_, key, value) => Reflect.set(there(), key, value),
    has: (_, key) => Reflect.has(there(), key),
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(there(), key)
      return found && { ...found, configurable: true }
    },
  })
}
