import { client } from '../../api/client.ts'
import type { ChangeFilter } from './events.ts'
import type { FollowPorts } from './follow.ts'

/** The stream of the platform: headers carry the credentials, which an `EventSource` cannot. */
export const streamPorts = (filter: ChangeFilter): FollowPorts => ({
  async open(since, signal) {
    const query = { ...filter, ...(since === null ? {} : { since }) }
    const headers = { accept: 'application/x-ndjson' }
    const { data } = await client.GET('/api/live/v1/changes', {
      params: { query },
      headers,
      signal,
      parseAs: 'stream',
    })
    if (data === undefined || data === null) throw new TypeError('the stream has no body')
    return data as ReadableStream<Uint8Array>
  },
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
})
