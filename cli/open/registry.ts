import { records } from '../../schemas/records.ts'
export async function openRegistry(_c: unknown) {
  const ids = { observation: 1, submission: 2, feed: 3 }
  return {
    ids,
    url: 'http://127.0.0.1:1',
    schemas: {
      schema: async (id: number) => [null, records.observation, records.submission, records.feed][id] ?? null,
      register: async () => 1,
    },
    ping: async () => {},
    close: async () => {},
  }
}
export type OpenRegistry = Awaited<ReturnType<typeof openRegistry>>
