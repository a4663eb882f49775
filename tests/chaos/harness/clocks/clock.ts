/**
 * Preloaded into the processes of a platform (`--import`): their wall clock is ahead of the machine's by the milliseconds
 * that the file CLOCK_FILE holds, read at every look. What measures durations, performance.now and timers, is not moved,
 * as on a machine whose clock is set.
 */
import { openSync, readSync } from 'node:fs'

const file = openSync(process.env.CLOCK_FILE!, 'r')
const bytes = Buffer.alloc(32)
const shift = (): number => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)))

const Machine = Date
const clock = Machine.now
const origin = performance.timeOrigin
const now = (): number => clock() + shift()

const Shifted: DateConstructor = new Proxy(Machine, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made === Shifted ? target : made),
  apply: () => new Machine(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
globalThis.Date = Shifted
Object.defineProperty(performance, 'timeOrigin', { configurable: true, get: () => origin + shift() })
