import type { Block } from './product.ts'

/**
 * What starts an edge of a feed beside a sensor.
 * @param token one that was made a moment ago; null: it is not shown again
 */
export const edgeBlocks = (platform: string, feed: string, token: string | null): Block[] => [
  ...(token === null
    ? []
    : [
        {
          where: 'edge.token: a file that only the edge may read (chmod 600).',
          kind: 'config' as const,
          text: token,
        },
      ]),
  {
    where: 'A shell on the machine of the sensor, with Harrier installed.',
    kind: 'shell',
    text: `HARRIER_URL=${platform} harrier edge --feed ${feed} --token-file edge.token \\
  --listen http://127.0.0.1:8310 --listen redis://127.0.0.1:6390 \\
  --listen memcached://127.0.0.1:11390 --listen dns://127.0.0.1:5390/bl.example.net`,
  },
]
