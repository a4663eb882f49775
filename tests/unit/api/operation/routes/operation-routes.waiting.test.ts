import { afterEach, describe, expect, test } from 'vitest'
import { closedBreaker } from '../../../../../schemas/operation/breaker.ts'
import { apiPorts, asAdmin, type RunningApi, startApi } from '../../../../builders/api/api.ts'

let api: RunningApi
afterEach(() => api.close())

describe('what waits for an operator', () => {
  const open = (group: string, source: string | null) => ({ ...closedBreaker(group, 'job', 1, 0, source), open: true })
  const ports = {
    deadLetters: {
      ...apiPorts().deadLetters,
      waiting: async () =>
        new Map([
          ['entity.submissions', 2],
          ['entity.observations', 3],
        ]),
    },
    breakers: {
      ...apiPorts().breakers,
      list: async () => [open('observe', null), open('observe', 'feed:a'), closedBreaker('follow', 'ana', 2, 0, null)],
    },
  }
  const waiting = async () => (await fetch(`${api.url}/api/admin/v1/waiting`, { headers: asAdmin })).json()

  test('is counted over all topics, with the feeds that guards hold and not those that owners do', async () => {
    api = await startApi({
      ...ports,
      feedStates: { statesOf: async () => new Map(), held: async () => ({ guard: 4, owner: 9 }) },
    })
    expect(await waiting()).toEqual({ deadLetters: 5, breakers: 1, isolatedSources: 1, heldFeeds: 4 })
  })

  test('is told without the feeds while the history store does not answer', async () => {
    const held = () => Promise.reject(new Error('away'))
    api = await startApi({ ...ports, feedStates: { statesOf: async () => new Map(), held } })
    expect(await waiting()).toEqual({ deadLetters: 5, breakers: 1, isolatedSources: 1, heldFeeds: null })
  })
})
