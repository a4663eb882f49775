/**
 * A name server on loopback that answers from a table: name -> addresses of each question, the last one for ever.
 * `others`: `name type` -> the data of records of other types.
 */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

const A = 1
const AAAA = 28
const NO_SUCH_NAME = 3
const KINDS: Record<number, string> = { [A]: 'ipv4', [AAAA]: 'ipv6' }

export async function nameServer(
  table: Readonly<Record<string, readonly (readonly string[])[]>>,
  others: Readonly<Record<string, readonly Buffer[]>> = {},
) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = questionOf(query)
    const times = asked.filter((one) => one === `${name} ${type}`).length
    asked.push(`${name} ${type}`)
    const answers = table[name]
    // A name that is known and never answered.
    if (answers?.length === 0) return
    const addresses = (answers?.[Math.min(times, answers.length - 1)] ?? []).map((text) => ipaddr.parse(text))
    const fitting = addresses.filter((one) => KINDS[type] === one.kind())
    const data = [...fitting.map((one) => Buffer.from(one.toByteArray())), ...(others[`${name} ${type}`] ?? [])]
    const records = data.map((one) => record(type, one))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 + (answers === undefined ? NO_SUCH_NAME : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, question, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** `name type` of each question so far; 1 is A, 28 is AAAA. */
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  const name = labels.join('.').toLowerCase()
  return { name, type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) }
}

/** One that is forgotten at once (a time to live of 0). */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
