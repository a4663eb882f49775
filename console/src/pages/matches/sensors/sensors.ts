/** Lines that bring telemetry in, as docs/integrate/sensors.md has them, with the address of this platform. */

import type { Block } from '../../../parts/copy/block.ts'
import type { Sensor } from './sensor.ts'
import { FLUENT_BIT, VECTOR } from './shippers.ts'

/** For a first try, with any sensor. */
export const firstTry = (url: string): Block[] => [
  {
    where: 'A shell on the machine that has the log: the platform, and the key pair.',
    text: `export HARRIER_URL=${url} HARRIER_API_KEY=... HARRIER_API_SECRET=...`,
  },
  {
    where: 'The same shell: follows a log of a sensor. Formats are zeek, eve, ecs, ocsf and ndjson.',
    text: 'harrier match tail --format zeek --follow /opt/zeek/logs/current/dns.log',
  },
  {
    where: 'The same shell: sends one event without the command harrier.',
    text: `curl -s ${url}/api/match/v1/events -H "api-key: $HARRIER_API_KEY" -H "api-secret: $HARRIER_API_SECRET" \\
  -H 'content-type: application/x-ndjson' \\
  --data-binary '{"at":'"$(date +%s)"'000,"kind":"dns","host":"pc-7","fields":{"query":"bad.example.com"}}'`,
  },
]

const environment = (url: string): Block => ({
  where: '/etc/harrier/sensor.env, readable only by root.',
  text: `HARRIER_URL=${url}\nHARRIER_API_KEY=...\nHARRIER_API_SECRET=...`,
})

const ZEEK: Sensor = {
  name: 'Zeek',
  about:
    'One service for each log: dns, http, ssl, conn, files, kerberos, ntlm and smtp are read. Digests of files need "@load frameworks/files/hash-all-files".',
  blocks: (url) => [
    environment(url),
    {
      where: '/etc/systemd/system/zeek-events@.service; then systemctl enable --now zeek-events@dns zeek-events@ssl.',
      text: `[Service]
EnvironmentFile=/etc/harrier/sensor.env
ExecStart=/usr/bin/harrier match tail --format zeek --follow /opt/zeek/logs/current/%i.log
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target`,
    },
  ],
}

const SURICATA: Sensor = {
  name: 'Suricata',
  about: 'The file eve.json has all that is matched. JA3 needs "ja3-fingerprints: yes" in app-layer.protocols.tls.',
  blocks: (url) => [
    {
      where: 'suricata.yaml, in outputs.',
      text: `outputs:
  - eve-log:
      enabled: yes
      filetype: regular
      filename: eve.json
      types:
        - dns
        - http
        - tls: {extended: yes}
        - files: {force-hash: [sha256]}
        - flow`,
    },
    environment(url),
    {
      where: 'A service with this environment: follows the file.',
      text: 'harrier match tail --format eve --follow /var/log/suricata/eve.json',
    },
  ],
}

/** All sensors that there are lines for. */
export const SENSORS: readonly Sensor[] = [ZEEK, SURICATA, VECTOR, FLUENT_BIT]
