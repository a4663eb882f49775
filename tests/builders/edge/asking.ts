import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decode } from 'dns-packet'
import { dnsQuery } from './dns/dns-query.ts'

/** What an edge says of a value over each of its protocols, in one form: `listed`, `not`, `stale`, or an error. */

const WITHIN_MS = 10_000

/** Sends bytes and reads until `whole` says that the reply is there. */
export async function exchange(port: number, bytes: string, whole: (reply: string) => boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let reply = ''
  const read = new Promise<void>((resolve, reject) => {
    socket.on('data', (piece) => {
      reply += piece.toString()
      if (whole(reply)) resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
  socket.write(bytes)
  await Promise.race([read, sleep(WITHIN_MS, undefined, { ref: false })])
  socket.destroy()
  return reply
}

export async function overHttp(port: number, value: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${encodeURIComponent(value)}`)
  const body = (await response.json()) as { listed?: boolean; error?: { code: string } }
  return body.error?.code ?? (body.listed ? 'listed' : 'not')
}

export async function overRedis(port: number, value: string): Promise<string> {
  const reply = await exchange(
    port,
    `*2\r\n$3\r\nGET\r\n$${Buffer.byteLength(value)}\r\n${value}\r\n`,
    (text) => text.startsWith('$-1\r\n') || text.startsWith('-') || text.split('\r\n').length > 2,
  )
  if (reply.startsWith('-ERR stale')) return 'stale'
  if (reply.startsWith('$-1')) return 'not'
  return reply.includes('"listed":true') ? 'listed' : `redis: ${reply}`
}

export async function overMemcached(port: number, value: string): Promise<string> {
  const reply = await exchange(
    port,
    `get ${value}\r\n`,
    (text) => text.endsWith('END\r\n') || /^[A-Z_]+ERROR/.test(text),
  )
  if (reply.startsWith('SERVER_ERROR stale')) return 'stale'
  if (reply === 'END\r\n') return 'not'
  return reply.includes('"listed":true') ? 'listed' : `memcached: ${reply}`
}

/** @param name as it stands before the zone */
export async function overDns(port: number, name: string, zone: string): Promise<string> {
  const socket = createSocket('udp4')
  try {
    const answered = new Promise<Buffer>((resolve) => socket.once('message', resolve))
    socket.send(dnsQuery(`${name}.${zone}`, 'A'), port, '127.0.0.1')
    const packet = await Promise.race([answered, sleep(WITHIN_MS, null, { ref: false })])
    if (packet === null) return 'dns: no answer'
    const { rcode, answers } = decode(packet) as { rcode?: string; answers?: unknown[] }
    if (rcode === 'SERVFAIL') return 'stale'
    if (rcode === 'NXDOMAIN') return 'not'
    return (answers ?? []).length > 0 ? 'listed' : 'not'
  } finally {
    socket.close()
  }
}
