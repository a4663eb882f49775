import { fetchBlocks } from './fetch-script.ts'
import type { Product } from './product.ts'

const APP = '/opt/splunk/etc/apps/search'

export const SPLUNK: Product = {
  name: 'Splunk',
  format: 'csv',
  about:
    'The paths are those of Splunk in /opt/splunk. An exact lookup never matches an address inside of a listed network: the second definition does.',
  blocks: (url) => [
    ...fetchBlocks(url, { name: 'harrier-splunk', file: `${APP}/lookups/harrier.csv` }),
    {
      where: `${APP}/local/transforms.conf; then restart Splunk, or open /debug/refresh.`,
      kind: 'config',
      text: '[harrier]\nfilename = harrier.csv\nmax_matches = 1\n\n[harrier_networks]\nfilename = harrier.csv\nmatch_type = CIDR(value)\nmax_matches = 1',
    },
    {
      where: 'A search; index and field are those of your firewall.',
      kind: 'config',
      text: 'index=firewall\n| lookup harrier value AS dest_ip OUTPUT reputation accuracy tags\n| lookup harrier_networks value AS dest_ip OUTPUTNEW reputation accuracy tags\n| where isnotnull(reputation)',
    },
  ],
}
