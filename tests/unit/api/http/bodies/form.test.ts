import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bodyRoom } from '../../../../../api/http/bodies/body-room.ts'
import { FORM, readForm } from '../../../../../api/http/bodies/form.ts'

const read = (body: string, headers: Record<string, string> = { 'content-type': FORM }) => {
  const request = Object.assign(Readable.from([Buffer.from(body)]), { headers, complete: true })
  return readForm(request as never, bodyRoom().of({ name: 'a', anonymous: true }))
}

test('the fields of a form', async () => {
  const fields = await read('a=1&b=x%20y+z&__proto__=c', { 'content-type': `${FORM}; charset=UTF-8` })
  expect({ ...fields }).toEqual({ a: '1', b: 'x y z', ['__proto__']: 'c' })
})

test('another kind of body, a field that comes twice, and too many are refused', async () => {
  await expect(read('a=1', { 'content-type': 'text/plain' })).rejects.toMatchObject({ status: 415 })
  await expect(read('a=1', {})).rejects.toMatchObject({ status: 415 })
  await expect(read('a=1&a=2')).rejects.toMatchObject({ status: 400, param: 'a' })
  await expect(read(Array.from({ length: 101 }, (_, i) => `f${i}=`).join('&'))).rejects.toMatchObject({ status: 400 })
  await expect(read('a'.repeat(70_000))).rejects.toMatchObject({ status: 413 })
})
