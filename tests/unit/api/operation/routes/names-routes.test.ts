import { afterEach, describe, expect, test } from 'vitest'
import { asAdmin, errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'

const ADMINISTRATOR = '00000000-0000-4000-8000-000000000001'
const ANA = '7f1c2f5e-9a0b-4c57-8a55-3d1f0c2b6e11'

let api: RunningApi
afterEach(() => api.close())

describe('names of ids', () => {
  const post = (ids: unknown) =>
    fetch(`${api.url}/api/admin/v1/names`, {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ ids }),
    })

  test('come for what is known, and for who has no account', async () => {
    const asked: string[][] = []
    const of = async (ids: readonly string[]) => {
      asked.push([...ids])
      return new Map([[ANA, { kind: 'user', name: 'ana@example.com' } as const]])
    }
    api = await startApi({ names: { of } })
    const response = await post([ANA, ADMINISTRATOR, 'ip-1'])
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        names: [
          { id: ADMINISTRATOR, kind: 'user', name: 'Administrator' },
          { id: ANA, kind: 'user', name: 'ana@example.com' },
        ],
      },
    ])
    expect(asked).toEqual([[ANA, ADMINISTRATOR, 'ip-1']])
  })

  test.each([[[]], [Array.from({ length: 201 }, () => ANA)], [['']], ['x']])('are refused for %j', async (ids) => {
    api = await startApi({})
    const response = await post(ids)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ param: expect.stringMatching(/^ids/) })
  })
})
