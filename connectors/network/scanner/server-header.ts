import { request } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import { readable } from './facts/banner.ts'
import type { BannerFound } from './facts/found.ts'
import { MAX_BYTES, within } from './stream-events.ts'

/**
 * The `Server` header of the response to `HEAD /` on an open connection. Undefined when there is none in time, when
 * the head is larger than 8 KiB, or when the response is not HTTP. A redirect counts as a response.
 */
export const serverHeader = (
  stream: Duplex,
  host: string,
  ms: number,
  signal: AbortSignal,
): Promise<BannerFound | undefined> =>
  within<BannerFound | undefined>(
    ms,
    signal,
    () => undefined,
    (settle) => {
      const headers = { host: isIPv6(host) ? `[${host}]` : host, 'user-agent': 'harrier', connection: 'close' }
      const outgoing = request({
        createConnection: () => stream,
        method: 'HEAD',
        path: '/',
        headers,
        setHost: false,
        maxHeaderSize: MAX_BYTES,
      })
      outgoing.on('error', () => settle(undefined)).on('close', () => settle(undefined))
      outgoing.on('response', (response) => {
        const text = readable(String(response.headers.server ?? ''))
        settle(text === '' ? undefined : { kind: 'http-server', text })
        outgoing.destroy()
      })
      outgoing.end()
    },
  )
