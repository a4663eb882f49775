import { expect, test } from 'vitest'
import { AT, mapped } from '../../../../builders/feeds/mapped-lines.ts'

test('OCSF', () => {
  const around = { time: AT, metadata: { uid: 'm1' }, device: { hostname: 'pc' }, actor: { user: { name: 'ann' } } }
  const event = { at: AT, host: 'pc', user: 'ann', ref: 'm1' }
  const hashes = [
    { algorithm_id: 1, value: 'a'.repeat(32) },
    { algorithm_id: 3, value: 'b'.repeat(64) },
    { algorithm_id: 99, value: 'c'.repeat(32) },
  ]
  expect(
    mapped(
      'ocsf',
      { ...around, class_uid: 4003, query: { hostname: 'bad.example.com' }, answers: [{ rdata: '198.51.100.7' }] },
      { ...around, class_uid: 4002, http_request: { url: { url_string: 'http://bad.example.com/x' } } },
      { ...around, class_uid: 4001, src_endpoint: { ip: '10.0.0.1' }, dst_endpoint: { ip: '198.51.100.7' } },
      { ...around, class_uid: 1001, file: { name: 'x', hashes } },
      { ...around, class_uid: 3002, src_endpoint: { ip: '198.51.100.7' } },
      { ...around, class_uid: 1007 },
    ),
  ).toEqual([
    { ...event, kind: 'dns', fields: { query: 'bad.example.com', answers: ['198.51.100.7'] } },
    { ...event, kind: 'http', fields: { url: 'http://bad.example.com/x' } },
    { ...event, kind: 'flow', fields: { src: '10.0.0.1', dst: '198.51.100.7' } },
    { ...event, kind: 'file', fields: { md5: 'a'.repeat(32), sha256: 'b'.repeat(64) } },
    { ...event, kind: 'auth', fields: { src: '198.51.100.7' } },
  ])
})
