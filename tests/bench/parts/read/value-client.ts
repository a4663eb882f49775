/**
 * The client of the benchmarks of single values, in a process of its own: keep-alive connections with one request each under way,
 * over bare sockets, so that it costs little beside what it measures.
 */

import { once } from 'node:events'
import { connect } from 'node:net'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { named } from './seeded-entities.ts'

/**
 * `entities`: that there are. Half of the values that are asked for their reputation are none of them; entities are all
 * known, so that each answer is a record.
 */
export type ValueLoad = { port: number; connections: number; ms: number; entities: number; asks: keyof typeof REQUESTS }

export type ValuesLoaded = { answers: number; rate: number; p50: number; p99: number }

const HEAD = 'HTTP/1.1\r\nhost: 127.0.0.1\r\napi-key: 0123456789abcdef\r\napi-secret: secret\r\n'

/** The n-th request. */
const REQUESTS = {
  reputation: (n: number, entities: number): string => {
    const at = (n * 7919) % entities
    const value = named(n % 2 === 0 ? entities + at : at).value
    return `GET /api/search/v1/reputation/${value} ${HEAD}\r\n`
  },
  'entity by id': (n: number, entities: number): string => {
    const { type, value } = named((n * 7919) % entities)
    return `GET /api/search/v1/entity/${entityId(type, value)} ${HEAD}\r\n`
  },
  entity: (n: number, entities: number): string => {
    const body = JSON.stringify(named((n * 7919) % entities))
    return `POST /api/search/v1/entity ${HEAD}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  },
}

async function run({ port, connections, ms, entities, asks }: ValueLoad): Promise<ValuesLoaded> {
  let next = 0
  const delays: number[] = []
  const began = performance.now()
  const end = began + ms
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sent = performance.now()
      const send = () => {
        sent = performance.now()
        socket.write(REQUESTS[asks](next++, entities), 'latin1')
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
