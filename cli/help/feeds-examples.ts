import type { Example } from './example.ts'

const FEED = '0199d3a4-5b6c-7d8e-9f00-112233445566'

/** Indicators that come in, lists that go out, documents, telemetry. */
export const FEEDS: Readonly<Record<string, readonly Example[]>> = {
  'feed import': [
    ['feed import feed.tsv --format tsv --feed my-feed --columns indicator,tag', 'Import a file of two columns.'],
    [
      'feed import https://feeds.example.com/ips.txt --format lines --feed ips --trust 0.5',
      'Import a list from the web.',
    ],
    [
      'feed import list.csv --format csv --columns indicator,tag --header --feed a-feed --rejects rejected.tsv',
      'Keep what was rejected.',
    ],
    ['feed import block.txt --format ranges --feed ranges', 'Import ranges of addresses as networks.'],
    [
      'feed import drop.json --format jsonl --columns cidr=indicator,sblid=tag --feed drop',
      'Import JSON objects, one a line.',
    ],
    [
      'feed import https://taxii.example.com/api/collections/1/ --format taxii --feed a-taxii --follow',
      'Follow a collection of a TAXII server.',
    ],
  ],
  'feed register': [
    ['feed register sensor-1 --trust 0.6', 'Let a producer of the broker write submissions as sensor-1.'],
  ],
  'feed unregister': [['feed unregister sensor-1', 'Refuse later records of this producer.']],
  'feed list': [
    ['feed list', 'List the feeds that come in and the lists that go out.'],
    ['feed list --published --json', 'List only published feeds, one line of JSON each.'],
  ],
  'feed retract': [
    ['feed retract my-feed --from 7d --dry-run', 'See what a retraction of the last week would change.'],
    [
      'feed retract my-feed --from 2026-05-01 --to 2026-05-02T12:00:00Z --reason "a faulty export"',
      'Retract what the feed reported in this window.',
    ],
  ],
  'feed publish': [
    [
      'feed publish "Bad addresses" --selector \'{"types": ["ip"], "reputation": {"lte": -2}}\'',
      'Publish the addresses that are Bad or Alarming, of all that you read.',
    ],
    [
      'feed publish "Bad names" --selector \'{"types": ["domain", "hostname"], "reputation": {"lte": -2}}\' --open',
      'Publish names for everybody, with the role trusted or as administrator.',
    ],
    [`feed publish "Bad addresses" --id ${FEED} --cap 50000`, 'Change a published feed.'],
  ],
  'feed feeds': [['feed feeds', 'List the published feeds.']],
  'feed show': [[`feed show ${FEED}`, 'Show a published feed with its selector.']],
  'feed get': [
    [
      `feed get ${FEED} --format csv --output list.csv`,
      'Write the list to a file, which is replaced once the list is complete.',
    ],
  ],
  'feed diff': [
    [`feed diff ${FEED} --follow`, 'Print each change of the list as it happens.'],
    [`feed diff ${FEED} --from a-cursor --json`, 'Print what changed since the cursor of an earlier run.'],
  ],
  'feed verify': [
    ['feed verify', 'Compare all published lists with the entities that they select.'],
    [`feed verify ${FEED} --json`, 'Compare one, and print the result as JSON.'],
  ],
  edge: [
    [
      `edge --feed ${FEED} --token-file edge.token --listen http://127.0.0.1:8310 --listen redis://127.0.0.1:6390`,
      'Answer from a feed on this machine, over HTTP and redis.',
    ],
    [
      `edge --feed ${FEED} --listen dns://192.0.2.7:53/bl.example.net --allow 192.0.2.0/24 --max-age 12h`,
      'Answer as a DNS block list for one network; say nothing when the platform was away for half a day.',
    ],
    [`edge --feed ${FEED} --listen file:zeek:/var/lib/zeek/harrier.dat`, 'Keep a file of the list.'],
  ],
  'edge verify': [
    [`edge verify --feed ${FEED}`, 'Compare the list on this machine with the feed, while the edge runs.'],
    [`edge verify --feed ${FEED} --data /data/edge --json`, 'The same in another folder, as one object.'],
  ],
  'export misp': [
    [`export misp --feed ${FEED} --out event.json`, 'Write a published list as a MISP event.'],
    [
      'export misp --selector \'{"types": ["domain"]}\' --name Domains',
      'Write all public domains to the standard output.',
    ],
  ],
  'export stix': [[`export stix --feed ${FEED} --out bundle.json`, 'Write a published list as a STIX 2.1 bundle.']],
  lookup: [
    ['lookup 203.0.113.7', 'Say in one sentence what is known of a value.'],
    ['lookup 203.0.113.7 example.com --exit-code', 'Look up several, and end with 3 when one is bad.'],
    ['lookup access.log', 'Look up the indicators of a log, a mail or a report, the worst first.'],
    ['lookup --malicious --json report.txt', 'Print only those with a negative reputation, as lines of JSON.'],
    [
      'lookup --reputation access.log',
      'The same, where a bad network or parent domain decides for what is in or below it.',
    ],
    ['lookup - --csv', 'Read the standard input, as `journalctl -u ssh | harrier lookup -` gives it.'],
  ],
  'match tail': [
    ['match tail /var/log/suricata/eve.json --format eve --follow', 'Send the log of a sensor as it grows.'],
    ['match tail - --format ndjson --json', 'Send events from the standard input; print the totals as JSON.'],
  ],
}
