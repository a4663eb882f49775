import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { kafkaClient } from '../../../../../connectors/log/kafka/client.ts'

/** The first byte of a handshake (RFC 8446, 5.1). */
const HANDSHAKE = 22

/** The first byte that a client sends to a broker. */
async function firstByte(options: { tls?: boolean }): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`]
  const admin = kafkaClient({ brokers, ...options }).admin()
  const byte = new Promise<number>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (data) => {
        resolve(data[0]!)
        socket.destroy()
      })
    })
  })
  // It goes on trying for a while; what is asked for is the first byte.
  admin.connect().catch(() => undefined)
  return byte.finally(() => server.close())
}

test('with TLS nothing is told to a broker before its certificate was seen', async () => {
  expect(await firstByte({ tls: true })).toBe(HANDSHAKE)
  expect(await firstByte({})).not.toBe(HANDSHAKE)
})
