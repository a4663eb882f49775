import { client } from '../../../api/client.ts'
import { pause } from '../../../parts/time/pause.ts'

/** The ports of a sender: requests, pauses and the clock. */
export const senderPorts = {
  send: async (body: Record<string, unknown>): Promise<string> => {
    const { data } = await client.POST('/api/ingest/v1/entity', { body: body as never })
    return data!.id
  },
  sleep: pause,
  now: Date.now,
}
