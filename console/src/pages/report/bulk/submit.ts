import { client } from '../../../api/client.ts'

/** The world as a sender needs it. */
export const senderPorts = {
  send: async (body: Record<string, unknown>): Promise<string> => {
    const { data } = await client.POST('/api/ingest/v1/entity', { body: body as never })
    return data!.id
  },
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  now: Date.now,
}
