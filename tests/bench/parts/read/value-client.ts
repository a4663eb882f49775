/**
 * The client of the reputation benchmark, in a process of its own: keep-alive connections with one request each under way,
 * over bare sockets, so that it costs little beside what it measures.
 */

import { once } from 'node:events'
import { connect } from 'node:net'
import { named } from './seeded-entities.ts'

/** `entities`: that there are; half of the values are none of them. */
export type ValueLoad = { port: number; connections: number; ms: number; entities: number }

export type ValuesLoaded = { answers: number; rate: number; p50: number; p99: number }

const HEAD = 'HTTP/1.1\r\nhost: 127.0.0.1\r\napi-key: 0123456789abcdef\r\napi-secret: secret\r\n\r\n'

async function run({ port, connections, ms, entities }: ValueLoad): Promise<ValuesLoaded> {
  let next = 0
  const delays: number[] = []
  const began = performance.now()
  const end = began + ms
  const request = (): string => {
    const at = (next++ * 7919) % entities
    const value = named(next % 2 === 0 ? at : entities + at).value
    return `GET /api/search/v1/reputation/${value} ${HEAD}`
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sent = performance.now()
      const send = () => {
        sent = performance.now()
        socket.write(request(), 'latin1')
      }
      socket.on('data', (answer) => {
        const now = performance.now()
        if (answer.subarray(0, 12).toString() !== 'HTTP/1.1 200') throw new Error(answer.toString())
        delays.push(now - sent)
        if (now >= end) socket.end()
        else send()
      })
      send()
      await once(socket, 'close')
    }),
  )
  const seconds = (performance.now() - began) / 1000
  delays.sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN
  return { answers: delays.length, rate: delays.length / seconds, p50: at(0.5), p99: at(0.99) }
}

process.on('message', async (load: ValueLoad) => process.send!(await run(load)))
process.on('disconnect', () => process.exit())
