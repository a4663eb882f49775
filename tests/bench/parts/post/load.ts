/**
 * The client of the POST benchmark, in a process of its own: keep-alive connections with one request each under way,
 * over bare sockets, so that it costs little beside what it measures.
 */

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** `pauseMs`: how long each connection rests between an answer and the next request; 0 is full load. */
export type Load = { port: number; headers: Record<string, string>; connections: number; ms: number; pauseMs: number }

export type Loaded = {
  answers: number
  /** Requests a second. */
  rate: number
  /** Milliseconds from the request to its answer. */
  p50: number
  p99: number
}

/** Two digits: the network whose addresses are reported. */
const FIRST = process.argv[2] ?? '11'
/** Addresses of 11.0.0.0/8, if no other was named: requests are made once for the last two numbers, and get another second one each turn. */
const DISTINCT = 65_536
const TURNS = 100

type Requests = {
  /** The next report: of an address that was not reported before, for the first 6.5 million. */
  next(): Buffer
}

/** Reports of as many addresses, so that none repeats another one and the keys of the log are as spread as in use. */
function requests(headers: Load['headers']): Requests {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  let turn = 0
  let at = 0
  const made: Buffer[] = []
  const make = (n: number): Buffer => {
    const body = JSON.stringify({
      type: 'ip',
      attributes: {
        ip: `${FIRST}.100.${n >> 8}.${n & 255}`,
        country: 'United States',
        port: '53/udp',
        text: 'resolver seen in beacon traffic',
      },
      reputation: -2,
      tags: ['dns', 'beacon'],
      visibleBy: ['public'],
    })
    return Buffer.from(
      `POST /api/ingest/v1/entity HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  return {
    next() {
      if (at === DISTINCT) {
        at = 0
        turn = (turn + 1) % TURNS
      }
      made[at] ??= make(at)
      const request = made[at++]!
      if (turn > 0) {
        request.write(String(100 + turn), request.indexOf(`"${FIRST}.`) + 4, 'latin1')
      }
      return request
    },
  }
}

/** The requests of each caller go on where its last run ended. */
const known = new Map<string, Requests>()
const requestsOf = (headers: Load['headers']): Requests => {
  const caller = headers['api-key'] ?? ''
  const all = known.get(caller) ?? requests(headers)
  known.set(caller, all)
  return all
}

async function run({ port, headers, connections, ms, pauseMs }: Load): Promise<Loaded> {
  const all = requestsOf(headers)
  const delays: number[] = []
  const began = performance.now()
  const end = began + ms
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sent = performance.now()
      const send = () => {
        sent = performance.now()
        socket.write(all.next())
      }
      socket.on('data', async (answer) => {
        const now = performance.now()
        if (answer.subarray(0, 11).toString() !== 'HTTP/1.1 20') throw new Error(answer.toString())
        delays.push(now - sent)
        if (now >= end) return socket.end()
        if (pauseMs > 0) await sleep(pauseMs)
        send()
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

process.on('message', async (load: Load) => process.send!(await run(load)))
process.on('disconnect', () => process.exit())
