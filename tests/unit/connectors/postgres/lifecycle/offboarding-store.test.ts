import { expect, test } from 'vitest'
import { credentialCache } from '../../../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Credential } from '../../../../../connectors/postgres/accounts/users/port.ts'
import { forgettingOffboarding } from '../../../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'

test.each(['deleteUser', 'end'] as const)(
  'credentials are asked for anew after %s, also after one that failed',
  async (which) => {
    for (const fails of [false, true]) {
      const cache = credentialCache(() => 0)
      const done = async (): Promise<boolean> => {
        if (fails) throw new Error('the answer was lost')
        return true
      }
      const ends = forgettingOffboarding({ deleteUser: done, end: done }, cache.forget)
      let asked = 0
      const recall = () =>
        cache.recall('key', async () => {
          asked++
          return {} as Credential
        })
      await recall()
      await recall()
      expect(asked).toBe(1)
      const ended = which === 'end' ? ends.end('c', { reason: 'owner', cause: cause() }) : ends.deleteUser('u', cause())
      expect(await ended.catch(() => 'failed')).toBe(fails ? 'failed' : true)
      await recall()
      expect(asked).toBe(2)
    }
  },
)
