import { expect, test } from 'vitest'
import { openPlaces } from '../../../../../api/live/services/open-places.ts'

test('a process has room for so many streams, and for one more when one was given back, once', async () => {
  const places = openPlaces(async () => null, 2)
  const first = await places.take(null, '192.0.2.1')
  await places.take(null, '192.0.2.2')
  await expect(places.take(null, '192.0.2.3')).rejects.toMatchObject({ code: 'busy', status: 503 })
  await first.giveBack()
  await first.giveBack()
  await places.take(null, '192.0.2.3')
  await expect(places.take(null, '192.0.2.4')).rejects.toMatchObject({ code: 'busy' })
})

test('the place of the caller is given back with that of the process, and its loss is passed on', async () => {
  const lost = new AbortController()
  let given = 0
  const places = openPlaces(async () => ({
    lost: lost.signal,
    async giveBack() {
      given++
    },
  }))
  const place = await places.take(null, '192.0.2.1')
  lost.abort()
  expect(place.lost.aborted).toBe(true)
  await place.giveBack()
  await place.giveBack()
  expect(given).toBe(1)
})

test('a caller that may not have one takes no room', async () => {
  let refuses = true
  const places = openPlaces(async () => {
    if (refuses) throw new Error('as many as it may')
    return null
  }, 1)
  await expect(places.take(null, '192.0.2.1')).rejects.toThrow('as many as it may')
  refuses = false
  await places.take(null, '192.0.2.1')
})
