import { fetchBlocks } from './fetch-script.ts'
import type { Product } from './product.ts'

const ZONE = '/var/cache/bind/rpz.harrier'
const INCLUDED = '/etc/unbound/harrier.list'

/** Resolvers that do not know listed names. */
export const RESOLVERS: readonly Product[] = [
  {
    name: 'BIND',
    format: 'rpz',
    about:
      'Run the script once before BIND reads the zone block: the file must be there. That first run ends with an error of rndc, because BIND does not know the zone yet; then run rndc reconfig.',
    blocks: (url) => [
      ...fetchBlocks(url, { name: 'harrier-bind', file: ZONE, reload: 'rndc reload rpz.harrier' }),
      {
        where: 'named.conf.options: inside the existing options block, not next to it.',
        kind: 'config',
        text: 'response-policy { zone "rpz.harrier"; };',
      },
      {
        where: 'named.conf.local: the zone.',
        kind: 'config',
        text: `zone "rpz.harrier" {\n  type primary;\n  file "${ZONE}";\n  allow-query { none; };\n};`,
      },
    ],
  },
  {
    name: 'Unbound',
    format: 'unbound',
    about:
      'Run the script once before Unbound reads the configuration: without the first download it does not start. unbound-control must be set up (unbound-control-setup).',
    blocks: (url) => [
      ...fetchBlocks(url, { name: 'harrier-unbound', file: INCLUDED, reload: 'unbound-control reload' }),
      {
        where: '/etc/unbound/unbound.conf.d/harrier.conf: a file of its own.',
        kind: 'config',
        text: `include: "${INCLUDED}"`,
      },
    ],
  },
]
