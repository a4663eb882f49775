import { fetchBlocks } from './fetch-script.ts'
import type { Product } from './product.ts'

const DATASET = '/var/lib/suricata/data/harrier.lst'
const INTEL = '/opt/zeek/share/harrier.intel'

/** Programs that look at traffic. */
export const SENSORS: readonly Product[] = [
  {
    name: 'Suricata',
    format: 'suricata-dataset',
    about: 'Run the script once before Suricata reads the rule. The rules are read again only when the list changed.',
    blocks: (url) => [
      ...fetchBlocks(url, {
        name: 'harrier-suricata',
        file: DATASET,
        reload: 'suricatasc -c ruleset-reload-nonblocking',
      }),
      {
        where: 'A file of rules that suricata.yaml names, such as /var/lib/suricata/rules/local.rules.',
        kind: 'config',
        text: `alert dns any any -> any any (msg:"Harrier: a listed name"; dns.query; dataset:isset,harrier,type string,load ${DATASET}; sid:9000001; rev:1;)`,
      },
    ],
  },
  {
    name: 'Zeek',
    format: 'zeek',
    about:
      'Run the script once before Zeek starts with the lines. Zeek notices that the file changed and reads what came; it keeps an indicator that it once read until it restarts, so restart it daily (zeekctl restart).',
    blocks: (url) => [
      ...fetchBlocks(url, { name: 'harrier-zeek', file: INTEL }),
      {
        where: 'local.zeek; then zeekctl deploy.',
        kind: 'config',
        text: `@load frameworks/intel/seen\nredef Intel::read_files += { "${INTEL}" };`,
      },
    ],
  },
]
