import { expect, test } from 'vitest'
import { FORMATS, formatNamed } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { GOLDEN, writtenOf } from '../../../../builders/feeds/list-items.ts'

const HEX_LINE = 64

/** Bytes as lines of hexadecimal digits, so that a difference can be read. */
const hexLines = (bytes: Buffer): string =>
  `${bytes
    .toString('hex')
    .match(new RegExp(`.{1,${HEX_LINE}}`, 'g'))!
    .join('\n')}\n`

const written = FORMATS.filter(({ write }) => write !== null)

test.each(written)('$name is written as its golden file', async (format) => {
  const { bytes } = writtenOf(format, GOLDEN)
  const binary = format.name === 'mmdb'
  const file = `./golden/${format.name}.golden`
  await expect(binary ? hexLines(bytes) : bytes.toString()).toMatchFileSnapshot(file)
})

test('each format says how many of the items it does not carry', () => {
  const counts = Object.fromEntries(written.map((format) => [format.name, writtenOf(format, GOLDEN).skipped]))
  expect(counts).toMatchInlineSnapshot(`
    {
      "csv": 0,
      "dnsmasq": 15,
      "fortinet-domain": 15,
      "fortinet-hash": 16,
      "fortinet-ip": 15,
      "fortinet-url": 17,
      "hosts": 15,
      "ipset": 15,
      "mikrotik": 15,
      "misp": 1,
      "mmdb": 15,
      "ndjson": 0,
      "nft": 15,
      "palo-domain": 15,
      "palo-ip": 15,
      "palo-url": 17,
      "pf": 15,
      "rpz": 15,
      "stix": 1,
      "suricata-dataset": 10,
      "suricata-iprep": 15,
      "suricata-md5": 18,
      "suricata-sha256": 18,
      "text": 2,
      "unbound": 15,
      "zeek": 4,
    }
  `)
})

test('a list without items is a document of the format', () => {
  const sizes = Object.fromEntries(
    written.map((format) => [format.name, writtenOf(format, []).bytes.toString('latin1').split('\n').length - 1]),
  )
  expect(sizes).toMatchInlineSnapshot(`
    {
      "csv": 1,
      "dnsmasq": 0,
      "fortinet-domain": 0,
      "fortinet-hash": 0,
      "fortinet-ip": 0,
      "fortinet-url": 0,
      "hosts": 0,
      "ipset": 10,
      "mikrotik": 2,
      "misp": 2,
      "mmdb": 0,
      "ndjson": 0,
      "nft": 5,
      "palo-domain": 0,
      "palo-ip": 0,
      "palo-url": 0,
      "pf": 0,
      "rpz": 4,
      "stix": 5,
      "suricata-dataset": 0,
      "suricata-iprep": 0,
      "suricata-md5": 0,
      "suricata-sha256": 0,
      "text": 0,
      "unbound": 1,
      "zeek": 1,
    }
  `)
})

test('every format of decisions 11.6 is there, in its order', () => {
  const names =
    'text csv ndjson parquet palo-ip fortinet-ip pf ipset nft mikrotik mmdb palo-domain fortinet-domain hosts dnsmasq unbound rpz palo-url fortinet-url fortinet-hash suricata-md5 suricata-sha256 zeek suricata-iprep suricata-dataset stix misp'
  expect(FORMATS.map(({ name }) => name)).toEqual(names.split(' '))
  for (const format of FORMATS) expect(formatNamed(format.name)).toBe(format)
  expect([formatNamed('xml'), formatNamed('constructor'), formatNamed('')]).toEqual([null, null, null])
})
