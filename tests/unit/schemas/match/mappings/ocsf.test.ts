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

test('OCSF with what writers leave out or put together', () => {
  const named = [
    { algorithm: 'SHA-256', value: 'b'.repeat(64) },
    { algorithm: 'md5', value: 'a'.repeat(32) },
    { algorithm: 'SHA1', algorithm_id: 99, value: 'c'.repeat(40) },
    { algorithm: 'SSDEEP', value: '3:x:y' },
  ]
  const dns = (rdata: string) => ({ time: AT, class_uid: 4003, answers: [{ rdata }] })
  expect(
    mapped(
      'ocsf',
      dns('198.51.100.7,198.51.100.8'),
      dns('198.51.100.7; 2001:db8::8 c.example.net.'),
      dns('10 mail.example.net.'),
      dns('1 1 443 srv.example.net.'),
      dns('v=spf1 ip4:198.51.100.7 -all'),
      { time: 'soon', time_dt: new Date(AT).toISOString(), class_uid: 1001, file: { hashes: named } },
    ),
  ).toEqual([
    { at: AT, kind: 'dns', fields: { answers: ['198.51.100.7', '198.51.100.8'] } },
    { at: AT, kind: 'dns', fields: { answers: ['198.51.100.7', '2001:db8::8', 'c.example.net.'] } },
    { at: AT, kind: 'dns', fields: { answers: ['mail.example.net.'] } },
    { at: AT, kind: 'dns', fields: { answers: ['srv.example.net.'] } },
    { at: AT, kind: 'dns', fields: { answers: ['v=spf1 ip4:198.51.100.7 -all'] } },
    {
      at: AT,
      kind: 'file',
      fields: { md5: 'a'.repeat(32), sha1: 'c'.repeat(40), sha256: 'b'.repeat(64) },
    },
  ])
})
