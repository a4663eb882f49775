/** Programs that carry logs and send telemetry by themselves, as docs/integrate/sensors.md has them. */

import type { Sensor } from './sensor.ts'

export const VECTOR: Sensor = {
  name: 'Vector',
  about:
    'Vector sends the events by itself. The transform is for the DNS of Suricata in versions 1 and 2. Vector does not read the answer: a line that is refused is lost, so try a file with "harrier match tail --format ndjson" first.',
  blocks: (url) => [
    {
      where: 'vector.yaml; the environment of Vector has HARRIER_API_KEY and HARRIER_API_SECRET.',
      text: `sources:
  eve:
    type: file
    include: [/var/log/suricata/eve.json]
transforms:
  events:
    type: remap
    inputs: [eve]
    drop_on_abort: true
    drop_on_error: true
    source: |
      eve = parse_json!(.message)
      if eve.event_type != "dns" { abort }
      at = parse_timestamp!(eve.timestamp, "%Y-%m-%dT%H:%M:%S%.f%z")
      fields = compact({"query": eve.dns.rrname, "src": eve.src_ip, "dst": eve.dest_ip})
      . = {"at": to_unix_timestamp(at, unit: "milliseconds"), "kind": "dns", "fields": fields, "ref": to_string!(eve.flow_id)}
sinks:
  harrier:
    type: http
    inputs: [events]
    uri: ${url}/api/match/v1/events
    method: post
    encoding: {codec: json}
    framing: {method: newline_delimited}
    batch: {max_bytes: 4000000, max_events: 5000, timeout_secs: 1}
    request:
      headers: {api-key: "\${HARRIER_API_KEY}", api-secret: "\${HARRIER_API_SECRET}"}`,
    },
  ],
}

/** Fluent Bit takes an address in parts. */
function partsOf(url: string): { host: string; port: string; tls: 'on' | 'off' } {
  const { protocol, hostname, port } = new URL(url)
  const isTls = protocol === 'https:'
  return { host: hostname, port: port === '' ? (isTls ? '443' : '80') : port, tls: isTls ? 'on' : 'off' }
}

export const FLUENT_BIT: Sensor = {
  name: 'Fluent Bit',
  about:
    'The time of the record becomes the time of the event; a filter makes the rest. The filter is for the DNS of Zeek in JSON. Fluent Bit does not read the answer either.',
  blocks: (url) => {
    const { host, port, tls } = partsOf(url)
    return [
      {
        where: 'fluent-bit.yaml; the environment of Fluent Bit has HARRIER_API_KEY and HARRIER_API_SECRET.',
        text: `parsers:
  - name: zeek
    format: json
pipeline:
  inputs:
    - name: tail
      path: /opt/zeek/logs/current/dns.log
      parser: zeek
  filters:
    - name: lua
      match: '*'
      call: event
      code: |
        function event(tag, timestamp, record)
          if record["query"] == nil then return -1, timestamp, record end
          local fields = {query = record["query"], answers = record["answers"], src = record["id.orig_h"]}
          return 1, record["ts"], {kind = "dns", fields = fields, ref = record["uid"], host = record["id.orig_h"]}
        end
  outputs:
    - name: http
      match: '*'
      host: ${host}
      port: ${port}
      tls: ${tls}
      uri: /api/match/v1/events
      format: json_lines
      json_date_key: at
      json_date_format: epoch_ms
      log_response_payload: false
      header:
        - api-key \${HARRIER_API_KEY}
        - api-secret \${HARRIER_API_SECRET}`,
      },
    ]
  },
}
